import type { IncomingMessage, ServerResponse } from "node:http";
import { callerLeft, requireIdentity, tooLarge, tooSlow } from "../operation/body-refusals.ts";
import type { BodySource } from "../operation/request-body.ts";
import type { RequestHeaders } from "../operation/request-headers.ts";

export interface BodyLimits {
  readonly maxBodyBytes: number;
  /** Longest time from the first read of a body to its end, in milliseconds. */
  readonly bodyTimeoutMs: number;
  /** Whether to answer `Expect: 100-continue`: Node has not done so. */
  readonly sendContinue: boolean;
}

export function bodySource(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
): BodySource {
  const { headers } = request;
  return {
    headers: headers as RequestHeaders,
    isMissing: saysNoBody(request),
    get parsed() {
      return request.readableEnded && "body" in request ? { value: request.body } : null;
    },
    read: () => readBytes(request, response, limits),
  };
}

/** In HTTP/1, neither header means no body (RFC 9112, section 6.3); HTTP/2 has no such rule. */
function saysNoBody({ headers, httpVersionMajor }: IncomingMessage): boolean {
  const { "content-length": length, "transfer-encoding": encoding } = headers;
  return length === "0" || (length === undefined && encoding === undefined && httpVersionMajor < 2);
}

async function readBytes(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
): Promise<Buffer> {
  const { expect, "content-encoding": encoding, "content-length": length } = request.headers;
  if (request.readableEnded)
    throw new Error(
      "The body was already read before the router. Mount the router before body parsers.",
    );
  requireIdentity(encoding);
  if (Number(length) > limits.maxBodyBytes) throw tooLarge(limits.maxBodyBytes);
  // HTTP/1.0 does not have it (RFC 9110, section 10.1.1).
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
    if (size > limits.maxBodyBytes) reject(tooLarge(limits.maxBodyBytes));
  };
  const onEnd = (): void => resolve(Buffer.concat(chunks, size));
  const onCut = (): void => reject(callerLeft());
  const timer = setTimeout(() => reject(tooSlow(limits.bodyTimeoutMs)), limits.bodyTimeoutMs);
  if (request.destroyed) onCut();
  request.on("data", onData).on("end", onEnd).on("error", onCut).on("close", onCut);
  return promise.finally(() => {
    clearTimeout(timer);
    request.off("data", onData).off("end", onEnd).off("close", onCut);
    request.pause();
    // The error listener stays: without one, a later error would end the process.
  });
}
