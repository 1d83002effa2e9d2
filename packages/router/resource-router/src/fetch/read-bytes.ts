import { callerLeft, requireIdentity, tooLarge, tooSlow } from "../operation/body-refusals.ts";
import type { BodySource } from "../operation/request-body.ts";
import type { RequestHeaders } from "../operation/request-headers.ts";

export interface BodyLimits {
  readonly maxBodyBytes: number;
  /** Longest time from the first read of a body to its end, in milliseconds. */
  readonly bodyTimeoutMs: number;
}

export function bodySource(
  request: Request,
  headers: RequestHeaders,
  limits: BodyLimits,
): BodySource {
  return {
    headers,
    isMissing: request.body === null,
    parsed: null,
    read: () => readBytes(request, headers, limits),
  };
}

async function readBytes(
  request: Request,
  headers: RequestHeaders,
  { maxBodyBytes, bodyTimeoutMs }: BodyLimits,
): Promise<Uint8Array> {
  if (request.bodyUsed) throw new Error("The body was already read before the router.");
  requireIdentity(headers["content-encoding"]);
  if (Number(headers["content-length"]) > maxBodyBytes) throw tooLarge(maxBodyBytes);
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  let isSlow = false;
  const timer = setTimeout(() => {
    isSlow = true;
    void reader.cancel().catch(() => {});
  }, bodyTimeoutMs);
  try {
    const bytes = await collect(reader, maxBodyBytes);
    if (isSlow) throw tooSlow(bodyTimeoutMs);
    return bytes;
  } catch (error) {
    throw request.signal.aborted ? callerLeft() : error;
  } finally {
    clearTimeout(timer);
    reader.releaseLock();
  }
}

async function collect(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBodyBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    size += value.length;
    if (size <= maxBodyBytes) continue;
    void reader.cancel().catch(() => {});
    throw tooLarge(maxBodyBytes);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
