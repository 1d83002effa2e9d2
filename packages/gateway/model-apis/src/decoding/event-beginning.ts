import { asBuffer } from "../json/byte-splice.ts";

/** How an event stream may begin (WHATWG HTML, section 9.2.6), after a byte order mark. */
const beginning = /^(?:data|event|id|retry)?:/;
// Not a Buffer: browsers load this too.
const byteOrderMark = Uint8Array.of(0xef, 0xbb, 0xbf);
const longestField = 5;

/** How many bytes tell whether a body is an event stream, whatever its content type says. */
export const tellingBytes: number = byteOrderMark.length + longestField + 1;

export function beginsAsEvents(bytes: Uint8Array): boolean {
  const first = asBuffer(bytes).subarray(0, tellingBytes);
  const isMarked = first.subarray(0, byteOrderMark.length).equals(byteOrderMark);
  return beginning.test(first.toString("latin1", isMarked ? byteOrderMark.length : 0));
}
