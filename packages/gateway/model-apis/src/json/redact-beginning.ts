import { asBuffer } from "./byte-splice.ts";
import { redact } from "./redact.ts";

/** How many times as much is read as is kept: credentials may be longer than their replacement. */
const readAhead = 4;

/**
 * Redacts only the beginning of a text, enough to show its first bytes and whether more follow, because
 * redacting all of a large text takes long.
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
