import { FetchError } from "./fetch-error.ts";

/**
 * Uses only what browsers have: no Node buffers, no async iteration of streams.
 * @throws FetchError the body is larger than allowed; the rest is not read
 */
export async function readText(response: Response, url: string, maxBytes: number): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  // A byte order mark is not part of the text.
  const decoder = new TextDecoder();
  let text = "";
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      throw new FetchError(`${url} is larger than ${maxBytes} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}
