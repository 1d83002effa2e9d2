import type { LoadTarget } from "./load-protocol.ts";

/** Whether an answer has the right length. @param expected the first answer's length, or a known one */
export function isRightLength(bytes: number, expected: number, target: LoadTarget): boolean {
  return target.answerVaries ? Math.abs(bytes - expected) <= expected / 10 : bytes === expected;
}
