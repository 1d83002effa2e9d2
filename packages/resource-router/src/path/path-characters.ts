export const slash = 0x2f;
const questionMark = 0x3f;
const numberSign = 0x23;

/** Whether a character ends the path of a request's target. */
export function endsPath(code: number): boolean {
  return code === questionMark || code === numberSign;
}

/** Whether a character ends a segment of a path. */
export function endsSegment(code: number): boolean {
  return code === slash || endsPath(code);
}
