import { setImmediate as nextTurn } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { ReplyHandler } from "./faulty-upstream.ts";
import type { Bytes, ReplyOptions } from "./reply.ts";

// Each function makes a handler for `startFaultyUpstream` or its `script`.

/** Answers something that is not HTTP, and closes. */
export function sendGarbage(
  bytes: Bytes = "\u0000\u0001\u0002 no HTTP at all\r\n\r\n",
): ReplyHandler {
  return async (_request, reply) => {
    await reply.raw(bytes);
    reply.close();
  };
}

/** Begins its headers and falls silent; the connection stays open. */
export function sendHalfHeaders(): ReplyHandler {
  return async (_request, reply) => {
    await reply.raw("HTTP/1.1 200 OK\r\ncontent-type: applicat");
  };
}

/** Never answers; the connection stays open. */
export function staySilent(): ReplyHandler {
  return () => {};
}

/** Resets the connection before any byte. */
export function resetBeforeHeaders(): ReplyHandler {
  return (_request, reply) => reply.reset();
}

/** Closes the connection before any byte. */
export function closeBeforeHeaders(): ReplyHandler {
  return (_request, reply) => reply.close();
}

/**
 * A plain answer whose length is wrong: too long (`by` positive; the connection is closed) or too
 * short (`by` negative; the rest of the body is still sent).
 */
export function sendWrongLength(body: Bytes, by: number): ReplyHandler {
  return async (_request, reply) => {
    const length = Buffer.byteLength(body) + by;
    const type = "content-type: application/json";
    await reply.raw(`HTTP/1.1 200 OK\r\n${type}\r\ncontent-length: ${length}\r\n\r\n`);
    await reply.raw(body);
    reply.close();
  };
}

export interface CutOptions extends ReplyOptions {
  /** How it breaks off: a TCP reset, the connection's end, or silence on an open connection. @default "reset" */
  readonly by?: "reset" | "close" | "silence";
}

/** Sends the first bytes of an event stream and breaks off. */
export function cutStreamAt(
  events: Iterable<Bytes>,
  byte: number,
  options: CutOptions = {},
): ReplyHandler {
  const bytes = Buffer.concat(Array.from(events, (event) => Buffer.from(event))).subarray(0, byte);
  return async (_request, reply) => {
    await reply.startEvents(options);
    if (bytes.length > 0) await reply.write(bytes);
    if (options.by === "close") reply.close();
    else if (options.by !== "silence") reply.reset();
  };
}

/** Sends all but the second half of the last event, and breaks off. */
export function sendHalfEvent(events: readonly Bytes[], options: CutOptions = {}): ReplyHandler {
  const sizes = events.map((event) => Buffer.byteLength(event));
  const whole = sizes.slice(0, -1).reduce((sum, size) => sum + size, 0);
  return cutStreamAt(events, whole + Math.floor((sizes.at(-1) ?? 0) / 2), options);
}

/** Sends the same event as fast as the caller reads, until the caller leaves. */
export function streamForever(event: Bytes, options: ReplyOptions = {}): ReplyHandler {
  return async (_request, reply) => {
    let open = await reply.startEvents(options);
    while (open) {
      open = await reply.write(event);
      // If the kernel takes every write at once, the event loop never gets to see the caller leave.
      await nextTurn();
    }
  };
}

/** Compresses its answer although nobody asked for that. */
export function sendGzip(body: Bytes, options: ReplyOptions = {}): ReplyHandler {
  return async (_request, reply) => {
    const headers = {
      "content-type": "application/json",
      "content-encoding": "gzip",
      ...options.headers,
    };
    await reply.send(gzipSync(body), { ...options, headers });
  };
}

/** Closes a connection at its second request without a byte, like a server whose keep-alive has just ended. */
export function closeWhenReused(otherwise: ReplyHandler): ReplyHandler {
  return (request, reply) =>
    request.orderOnConnection > 1 ? reply.close() : otherwise(request, reply);
}

/** Sends interim answers before the final one. */
export function sendInterim(otherwise: ReplyHandler): ReplyHandler {
  return async (request, reply) => {
    await reply.raw("HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n");
    await reply.raw("HTTP/1.1 102 Processing\r\n\r\n");
    await otherwise(request, reply);
  };
}

/** A chunked answer that ends with trailers. */
export function sendTrailers(
  body: Bytes,
  trailers: Readonly<Record<string, string>>,
  options: ReplyOptions = {},
): ReplyHandler {
  return async (_request, reply) => {
    const names = Object.keys(trailers).join(", ");
    const headers = { "content-type": "application/json", trailer: names, ...options.headers };
    await reply.start({ ...options, headers });
    await reply.write(body);
    await reply.end(trailers);
  };
}
