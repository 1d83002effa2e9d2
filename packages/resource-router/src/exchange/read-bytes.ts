import type { IncomingMessage, ServerResponse } from "node:http";
import { Problem } from "../answer/problem.ts";

export interface BodyLimits {
  readonly maxBodyBytes: number;
  /** Longest time from asking for a body to its end, in milliseconds. */
  readonly bodyTimeoutMs: number;
  /** Whether callers that wait for it are told to go on: Node has not done so. */
  readonly sendContinue: boolean;
}

/**
 * Reads a request's body whole.
 * @throws Problem 413, 408 and 415
 * @throws DOMException AbortError, where the caller left before its body was whole
 */
export async function readBytes(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
): Promise<Buffer> {
  const { expect, "content-encoding": encoding, "content-length": length } = request.headers;
  if (request.readableEnded)
    throw new Error("The body was read before the router. Mount the router before body parsers.");
  if (encoding !== undefined && encoding.toLowerCase() !== "identity")
    throw new Problem(415, `Bodies encoded as '${encoding}' are not read.`, {
      headers: { "accept-encoding": "identity" },
    });
  if (Number(length) > limits.maxBodyBytes) throw tooLarge(limits);
  // Whoever speaks HTTP/1.0 does not know of it (RFC 9110, section 10.1.1).
  const waits = expect?.toLowerCase() === "100-continue" && request.httpVersion === "1.1";
  if (limits.sendContinue && waits) response.writeContinue();
  return collect(request, limits);
}

function collect(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  const onData = (chunk: Buffer): void => {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limits.maxBodyBytes) reject(tooLarge(limits));
  };
  const onEnd = (): void => resolve(Buffer.concat(chunks, size));
  const onCut = (): void =>
    reject(new DOMException("The caller left before its body was whole.", "AbortError"));
  const timer = setTimeout(() => reject(tooSlow(limits)), limits.bodyTimeoutMs);
  if (request.destroyed) onCut();
  request.on("data", onData).on("end", onEnd).on("error", onCut).on("close", onCut);
  return promise.finally(() => {
    clearTimeout(timer);
    request.off("data", onData).off("end", onEnd).off("close", onCut);
    request.pause();
    // The listener for errors stays: one that comes later has nobody to tell, and must not end the process.
  });
}

function tooLarge({ maxBodyBytes }: BodyLimits): Problem {
  return new Problem(413, `The body is larger than ${maxBodyBytes} bytes.`);
}

function tooSlow({ bodyTimeoutMs }: BodyLimits): Problem {
  return new Problem(408, `The body did not come within ${bodyTimeoutMs} ms.`);
}
