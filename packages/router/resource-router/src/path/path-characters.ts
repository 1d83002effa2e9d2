export const slash = 0x2f;
const questionMark = 0x3f;
const numberSign = 0x23;

/** Whether a character ends the path in a request target. */
export function endsPath(code: number): boolean {
  return code === questionMark || code === numberSign;
}

/** Whether a character ends a path segment. */
export function endsSegment(code: number): boolean {
  return code === slash || endsPath(code);
}
