import type { IncomingMessage, ServerResponse } from "node:http";
import { asGatewayError, CallerGoneError, GatewayError } from "../gateway-error.ts";
import type { BufferedBytes, BufferedBytesLease } from "./buffered-bytes.ts";

export interface BodyLimits {
  readonly maxBytes: number;
  /** Longest silence in the middle of a body, in milliseconds. */
  readonly idleMs: number;
}

/** A request and the answer to it. */
export interface HttpExchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/**
 * Reads a request's body whole.
 * @throws GatewayError request_too_large, unsupported_encoding, overloaded, request_timeout
 * @throws CallerGoneError the connection ended before the body did
 */
export async function readBody(
  { req, res }: HttpExchange,
  limits: BodyLimits,
  buffered: BufferedBytes,
  lease: BufferedBytesLease,
): Promise<Buffer> {
  const { maxBytes } = limits;
  const encoding = req.headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity")
    throw new GatewayError(
      "unsupported_encoding",
      `Request bodies encoded as '${encoding}' are not read. Send the body without content-encoding.`,
    );
  const length = Number(req.headers["content-length"] ?? 0);
  if (length > maxBytes) throw tooLarge(maxBytes);
  buffered.checkRoom(length);
  // Only now, so that a body that is refused need not be sent (RFC 9110, section 10.1.1).
  if (awaitsContinue(req)) res.writeContinue();
  // By the end of this turn the parser has seen all that came with the headers. A small body is
  // whole then, and one read takes it, without listeners and a timer.
  await undefined;
  if (!req.complete) return readAsItComes(req, limits, buffered, lease);
  const bytes: Buffer = req.read() ?? Buffer.alloc(0);
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  lease.grow(bytes.length);
  return bytes;
}

function readAsItComes(
  req: IncomingMessage,
  { maxBytes, idleMs }: BodyLimits,
  buffered: BufferedBytes,
  lease: BufferedBytesLease,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const timer = setTimeout(() => fail(timedOut(idleMs)), idleMs);
    const settle = (): void => {
      clearTimeout(timer);
      req.removeListener("data", onData).removeListener("end", onEnd);
      req.removeListener("error", onCut).removeListener("close", onCut);
    };
    const fail = (error: Error): void => {
      settle();
      // An error that comes later has nobody to tell, and must not end the process.
      req.on("error", () => {});
      req.pause();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        fail(tooLarge(maxBytes));
        return;
      }
      try {
        buffered.checkRoom(chunk.length);
      } catch (error) {
        fail(asGatewayError(error));
        return;
      }
      lease.grow(chunk.length);
      chunks.push(chunk);
      timer.refresh();
    };
    const onEnd = (): void => {
      settle();
      const [only] = chunks;
      resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, bytes));
    };
    const onCut = (): void =>
      fail(new CallerGoneError("the caller left before its request was whole"));
    req.on("data", onData).on("end", onEnd).on("error", onCut).on("close", onCut);
  });
}

/** The same rule by which Node's server leaves it to us to answer 100. */
function awaitsContinue({ headers, httpVersion }: IncomingMessage): boolean {
  const { expect } = headers;
  return (
    expect !== undefined && httpVersion === "1.1" && /(?:^|\W)100-continue(?:$|\W)/i.test(expect)
  );
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError(
    "request_too_large",
    `The request's body is larger than ${maxBytes} bytes, the most that is taken here.`,
  );
}

function timedOut(idleMs: number): GatewayError {
  return new GatewayError(
    "request_timeout",
    `The request's body stopped coming for ${idleMs} ms (timeouts.caller_body_idle_s).`,
  );
}
