import { expect, test } from "vitest";
import { Progress } from "../../src/replay/progress.ts";
import type { RecordedStep } from "../../src/replay/recorded-step.ts";

const step = (step_id: number, began: number, ended: number): RecordedStep => ({
  id: step_id,
  model: "policy",
  step_id,
  endpoint: "chat",
  body_sha256: `body ${step_id}`,
  began,
  ended,
  outcome: "completed",
  hasFailed: false,
  retry_of: null,
  replayed_step_id: null,
  lacks: null,
});

/** The numbers of the steps that the first request may repeat. */
function firstOf(...steps: readonly RecordedStep[]): readonly number[] {
  const record = { steps: new Map([["policy", steps]]), passedOver: [], besides: [] };
  return new Progress(record, []).candidates("policy", false).map(({ step_id }) => step_id);
}

test("steps that may have run at the same time may come in any order", () => {
  expect(firstOf(step(1, 100, 200), step(2, 199, 250), step(3, 150, 300))).toEqual([1, 2, 3]);
  // All within one millisecond.
  expect(firstOf(step(1, 100, 100), step(2, 100, 100), step(3, 101, 110))).toEqual([1, 2]);
});

test("a step waits for those that ended before it came", () => {
  expect(firstOf(step(1, 100, 200), step(2, 201, 250))).toEqual([1]);
  expect(firstOf(step(1, 100, 300), step(2, 150, 200), step(3, 201, 250))).toEqual([1, 2]);
});
