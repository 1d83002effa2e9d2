import type { RequestOptions } from "@proj/http-client";

/** A larger body is sent in chunks, and takes no memory. */
export const maxSizedBytes: number = 16 * 1024 * 1024;

/**
 * A document as a body that says its `content-length`, because many servers, such as Python's `http.server`, read nothing
 * else; or, if it is larger than `maxSizedBytes`, as a stream, which reads it once more.
 * @throws the signal's reason; what reading the document throws
 */
export async function sizedBody(
  document: () => AsyncIterable<string>,
  signal: AbortSignal,
): Promise<Pick<RequestOptions, "text" | "stream">> {
  const pieces: string[] = [];
  let bytes = 0;
  for await (const piece of document()) {
    signal.throwIfAborted();
    bytes += Buffer.byteLength(piece);
    if (bytes > maxSizedBytes) return { stream: document };
    pieces.push(piece);
  }
  return { text: pieces.join("") };
}
