import { FetchError } from "./fetch-error.ts";

/** @throws FetchError the body is larger than allowed; what has not come is left where it is */
export async function readText(response: Response, url: string, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new FetchError(`${url} is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  // A byte order mark is not part of the text.
  return new TextDecoder().decode(Buffer.concat(chunks, size));
}
