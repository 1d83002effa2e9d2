import { type Sequence, type Step, sequences } from "@proj/sequences";
import { expect, test } from "vitest";
import { WeightAges } from "../../src/index.ts";

/** One step's sequence, of which each token has the version at its place. */
function sequenceOf(versions: readonly (string | null)[]): Sequence {
  const step: Step = {
    id: "policy/1",
    model: "policy",
    order: { began: 1, ended: 2 },
    started_at: 1,
    ended_at: 2,
    status_code: 200,
    is_capture_truncated: false,
    is_terminal: true,
    is_truncated: false,
    prompt_ids: [1, 2],
    completion_ids: versions.map((_, at) => 10 + at),
    logprobs: versions.map((_, at) => -1 - at),
    versions: versions.flatMap((version, start) =>
      version === null ? [] : [{ version, start, end: start + 1 }],
    ),
    sampled_tokens: versions.length,
    finish_reason: "stop",
    response_id: null,
    tool_call_ids: [],
    agent: null,
    request_kind: null,
    side_call: null,
    retry_of: null,
    messages: null,
    answer: null,
    tools: null,
    previous_response_id: null,
  };
  const [sequence] = sequences([step]).sequences;
  if (sequence === undefined) throw new Error("the step makes no sequence");
  return sequence;
}

const maskOf = ({ loss_mask }: Sequence): number[] => [...loss_mask];

test("tokens of older weights are masked with their log probabilities, and counted", () => {
  const mixed = sequenceOf(["step-1", "step-8", "step-9", null, "base"]);
  const ages = new WeightAges(1);
  ages.learn([mixed, sequenceOf(["step-9"])]);
  const [masked] = ages.mask([mixed]);
  expect(masked === undefined ? null : maskOf(masked)).toEqual([0, 0, 0, 1, 1, 1, 1]);
  expect([...(masked?.logprobs ?? [])]).toEqual([0, 0, 0, -2, -3, -4, -5]);
  expect(ages.tokens).toEqual({ masked: 1, unknown: 2 });
  // What was read stays as it is.
  expect(maskOf(mixed)).toEqual([0, 0, 1, 1, 1, 1, 1]);
});

test("a sequence of which nothing is left is left out", () => {
  const old = sequenceOf(["1", "1"]);
  const ages = new WeightAges(0);
  ages.learn([old, sequenceOf(["2"])]);
  expect(ages.mask([old, sequenceOf(["2"])])).toHaveLength(1);
  expect(ages.tokens).toEqual({ masked: 2, unknown: 0 });
});
