import type { LoadTarget } from "./load-protocol.ts";

/** Whether an answer has as many bytes as it should. @param expected as the first one had, or as is known */
export function isRightLength(bytes: number, expected: number, target: LoadTarget): boolean {
  return target.answerVaries ? Math.abs(bytes - expected) <= expected / 10 : bytes === expected;
}
