const doneLine = new TextEncoder().encode("data: [DONE]");
const AFTER_COLON = 5;
const AFTER_SPACE = 6;

/** The line cannot be the terminal one. */
export const notDone = -1;
/** The line is the terminal one, whatever else is on it: some clients look no further. */
export const isDone: number = doneLine.length;

/**
 * Compares a line with `data: [DONE]`, whose space is optional, as far as its bytes have arrived.
 * @param matched the result for the line's earlier bytes; 0 at its start
 */
export function matchDoneLine(
  matched: number,
  line: Uint8Array,
  start: number,
  end: number,
): number {
  let next = matched;
  for (let at = start; at < end && next !== notDone && next !== isDone; at++) {
    if (line[at] === doneLine[next]) next++;
    else if (next === AFTER_COLON && line[at] === doneLine[AFTER_SPACE]) next = AFTER_SPACE + 1;
    else return notDone;
  }
  return next;
}
