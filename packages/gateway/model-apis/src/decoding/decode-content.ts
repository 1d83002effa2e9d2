import { promisify } from "node:util";
import {
  brotliDecompress,
  constants,
  gunzip,
  inflate,
  inflateRaw,
  zstdDecompress,
} from "node:zlib";
import { type ContentCoding, contentCodings } from "./content-codings.ts";

type Decode = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

/** Like clients, decodes as far as the bytes go: some servers leave out the end. */
const zlib = { finishFlush: constants.Z_SYNC_FLUSH };
const decoders: Readonly<Record<ContentCoding, Decode>> = {
  gzip: (bytes, options) => promisify(gunzip)(bytes, { ...zlib, ...options }),
  "x-gzip": (bytes, options) => promisify(gunzip)(bytes, { ...zlib, ...options }),
  deflate: (bytes, options) => {
    // Some servers leave out zlib's header (RFC 9110, section 8.4.1.2, note); the lower half of its first byte is 8.
    const isWrapped = ((bytes[0] ?? 0) & 0x0f) === 0x08;
    return promisify(isWrapped ? inflate : inflateRaw)(bytes, { ...zlib, ...options });
  },
  br: (bytes, options) =>
    promisify(brotliDecompress)(bytes, {
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
      ...options,
    }),
  zstd: (bytes, options) => promisify(zstdDecompress)(bytes, options),
};

/** As many as undici's fetch accepts. */
const maxCodings = 5;

/**
 * Decodes a body as clients do.
 * @param header its `content-encoding`
 * @param maxBytes of the decoded body, and of every step before it
 * @throws Error the bytes are not in that coding, or there are too many of either
 */
export async function decodeContent(
  body: Uint8Array,
  header: string | null,
  maxBytes: number,
): Promise<Uint8Array> {
  const codings = contentCodings(header);
  if (codings.length > maxCodings) throw new Error(`${codings.length} content codings`);
  let bytes = body;
  for (const coding of codings.toReversed())
    bytes = await decoders[coding](bytes, { maxOutputLength: maxBytes });
  return bytes;
}
