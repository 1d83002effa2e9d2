import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { Exchange } from "../exchange/exchange.ts";

export type Stream = Readable | ReadableStream | AsyncIterable<unknown>;

export function isStream(body: unknown): body is Stream {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

/**
 * Sends a stream as it comes and no faster than the caller takes it. The head goes with the first
 * chunk, so that a stream which fails before it can still be answered 500. Its source is closed in
 * every case, and at once when the caller leaves.
 * @param headers names and values in turn
 * @throws what the source throws, and TypeError for a chunk that is neither text nor bytes
 */
export async function sendStream(
  exchange: Exchange,
  status: number,
  headers: string[],
  stream: Stream,
): Promise<void> {
  const { request, response, limits } = exchange;
  // What is left of a body that nobody reads on stands before the next request.
  if (exchange.bodyIsCutShort) headers.push("connection", "close");
  const source = asReadable(stream);
  const close = (): void => void source.destroy();
  // An error that comes after its closing has nobody to tell, and must not end the process.
  source.on("error", () => {});
  response.once("close", close);
  if (response.destroyed) close();
  // A body that does not keep to its length would shift every later answer on the connection.
  response.strictContentLength = true;
  try {
    for await (const chunk of request.method === "HEAD" ? [] : source) {
      if (typeof chunk !== "string" && !(chunk instanceof Uint8Array))
        throw new TypeError("A stream that is sent must consist of strings and Uint8Arrays.");
      if (!response.headersSent) response.writeHead(status, headers);
      if (!response.write(chunk)) await taken(response, limits.stallTimeoutMs);
    }
    if (!response.headersSent) response.writeHead(status, headers);
    response.end();
  } catch (error) {
    if (!response.destroyed) throw error;
  } finally {
    close();
  }
}

function asReadable(stream: Stream): Readable {
  if (stream instanceof Readable) return stream;
  return "getReader" in stream ? Readable.fromWeb(stream) : Readable.from(stream);
}

/** Resolves when the caller has taken what was written, or has gone; for who takes too long, it is over. */
function taken(response: ServerResponse, stallTimeoutMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => response.destroy(), stallTimeoutMs);
  response.once("drain", resolve).once("close", resolve);
  return promise.finally(() => {
    clearTimeout(timer);
    response.off("drain", resolve).off("close", resolve);
  });
}
