import { asBuffer } from "./byte-splice.ts";
import { redact } from "./redact.ts";

/** How much more is read than is kept: credentials may be longer than what takes their place. */
const readAhead = 4;

/**
 * As much of a redacted text as shows its first bytes and whether there are more: redacting all of a
 * large one takes time that its beginning is not worth.
 * @param length bytes of the redacted text; 0: all
 */
export function redactBeginning(bytes: Buffer, length: number): Buffer {
  if (length > 0)
    for (let end = readAhead * length; end < bytes.length; end *= 2) {
      const beginning = asBuffer(redact(bytes.subarray(0, end)));
      if (beginning.length > length) return beginning;
    }
  return asBuffer(redact(bytes));
}
