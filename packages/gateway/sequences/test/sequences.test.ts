import { expect, it } from "vitest";
import { promptResponse, sequences, shifted } from "../src/index.ts";
import { canonicalJson } from "../src/messages/canonical-json.ts";
import { assistant, Rollout, stepAt, system, user } from "./rollout.ts";

const opening = [system, user("hi")];
const hello = assistant("hello");

function forked(): Rollout {
  const rollout = new Rollout();
  rollout.call(opening, hello);
  rollout.call([...opening, hello, user("left")], assistant("west"));
  rollout.call([...opening, hello, user("right")], assistant("east"));
  return rollout;
}

it("trains on a fork's shared part only in the earlier sequence", () => {
  const { sequences: found, ledger } = sequences(forked().steps);
  expect(found.map(({ loss_mask }) => loss_mask.reduce((sum, one) => sum + one, 0))).toEqual([
    11, 5,
  ]);
  expect(found.map(({ parent }) => parent?.sequence ?? null)).toEqual([null, 0]);
  expect(found[1]?.parent?.at).toBe(found[0]?.spans[1]?.end);
  expect(ledger).toMatchObject({ captured: 16, delivered: 16, breaks_by_reason: { first: 1 } });
});

it("can mark everything that a fork shares as its prompt", () => {
  const full = sequences(forked().steps).sequences[1];
  const suffix = sequences(forked().steps, { fork: "suffix" }).sequences[1];
  expect(suffix?.input_ids).toEqual(full?.input_ids);
  expect(suffix?.loss_mask).toEqual(full?.loss_mask);
  expect(suffix?.spans.map(({ kind }) => kind)).toEqual(["prompt", "completion"]);
});

it("treats replayed steps as context: another session sampled them and trains on them", () => {
  const rollout = new Rollout();
  const replayed_from = "source/policy/1";
  rollout.call(opening, hello, { replayed_from });
  rollout.call([...opening, hello, user("left")], assistant("west"));
  const { sequences: found, ledger } = sequences(rollout.steps);
  const [sequence] = found;
  const trained = sequence?.loss_mask.reduce((sum, one) => sum + one, 0);
  const { completion_ids } = rollout.steps[1] ?? {};
  expect(found).toHaveLength(1);
  expect(trained).toBe(completion_ids?.length);
  expect(sequence?.logprobs?.filter((logprob) => logprob !== 0)).toHaveLength(trained ?? 0);
  expect(sequence?.spans.map(({ kind }) => kind)).toEqual([
    "prompt",
    "completion",
    "environment",
    "completion",
  ]);
  expect(ledger).toMatchObject({ captured: trained, delivered: trained, delivered_fraction: 1 });
  expect(ledger.steps[0]).toMatchObject({ captured: 0, reason: "replayed", by: replayed_from });
  const [suffix] = sequences(rollout.steps, { fork: "suffix" }).sequences;
  expect(suffix?.input_ids).toEqual(sequence?.input_ids);
  expect(suffix?.spans.map(({ kind }) => kind)).toEqual(["prompt", "completion"]);
});

it("trains on nothing in a fully replayed session", () => {
  const rollout = new Rollout();
  rollout.call(opening, hello, { replayed_from: "source/policy/1" });
  const { sequences: found, ledger } = sequences(rollout.steps, { fork: "suffix" });
  expect(found.map(({ loss_mask }) => loss_mask.includes(1))).toEqual([false]);
  expect(ledger).toMatchObject({ captured: 0, delivered: 0, masked: 0, dropped: 0 });
});

it("keeps the agents of a session apart, even where one's tokens begin with another's", () => {
  const rollout = new Rollout();
  const agent = { id: "child", parent: "main", kind: null };
  rollout.call(opening, hello);
  rollout.call([...opening, hello, user("go on")], assistant("on"), { agent });
  const { sequences: found } = sequences(rollout.steps);
  expect(found.map((sequence) => sequence.agent?.id ?? null)).toEqual([null, "child"]);
});

it("treats equal calls of two agents as separate calls, not as retries", () => {
  const ids = { prompt_ids: [1, 2], completion_ids: [3] };
  const agent = { id: "child", parent: null, kind: null };
  const { ledger } = sequences([stepAt(1, ids), stepAt(2, { ...ids, agent })]);
  expect(ledger).toMatchObject({ captured: 2, delivered: 2 });
});

it("says why each unusable step cannot be used", () => {
  const ids = { prompt_ids: [1, 2], completion_ids: [3] };
  const { sequences: found, ledger } = sequences(
    [
      stepAt(1),
      stepAt(2, { ...ids, completion_ids: [] }),
      stepAt(3, { ...ids, logprobs: [-1, -2] }),
      stepAt(4, { ...ids, logprobs: [Number.NaN] }),
      stepAt(5, { ...ids, status_code: 502 }),
      stepAt(6, { ...ids, is_capture_truncated: true }),
      stepAt(7, { ...ids, completion_ids: [50] }),
    ],
    { vocabulary_size: 50 },
  );
  expect(found).toEqual([]);
  expect(ledger.steps.map(({ reason }) => reason)).toEqual([
    "no_token_ids",
    "empty_completion",
    "logprobs_misaligned",
    "logprobs_misaligned",
    "aborted",
    "truncated_capture",
    "out_of_vocabulary",
  ]);
  expect(ledger).toMatchObject({ captured: 5, dropped: 5, delivered_fraction: 0 });
});

it("trains on none of several equal calls when nothing says which one counted", () => {
  const ids = { prompt_ids: [1, 2], completion_ids: [3] };
  const { sequences: found, ledger } = sequences([stepAt(1, ids), stepAt(2, ids)]);
  expect(found.map(({ loss_mask }) => [...loss_mask])).toEqual([
    [0, 0, 0],
    [0, 0, 0],
  ]);
  expect(ledger).toMatchObject({ captured: 2, masked: 2, delivered: 0 });
  const retried = sequences([stepAt(1, ids), stepAt(2, { ...ids, retry_of: "s1" })]);
  expect(retried.ledger.steps).toMatchObject([
    { reason: "superseded_retry", by: "s2" },
    { reason: null, delivered: 1 },
  ]);
});

it("sets apart calls of models other than the policy's", () => {
  const ids = { prompt_ids: [1, 2], completion_ids: [3, 4] };
  const judge = stepAt(2, { prompt_ids: [1], completion_ids: [9], model: "judge" });
  const { sequences: found, ledger } = sequences([stepAt(1, ids), judge], { rollout_id: "r" });
  expect(found.map(({ rollout_id }) => rollout_id)).toEqual(["r"]);
  expect(ledger.steps[1]).toMatchObject({ reason: "side_call", by: "other_model" });
  expect(sequences([stepAt(1, ids), judge], { model: "judge" }).ledger.delivered).toBe(1);
});

it("refuses two steps with the same id", () => {
  expect(() => sequences([stepAt(1), stepAt(1)])).toThrow('two steps have the id "s1"');
});

it("returns the forms for trainers of next tokens and of responses", () => {
  const steps = [stepAt(1, { prompt_ids: [1, 2], completion_ids: [3, 4] })];
  const [sequence] = sequences(steps).sequences;
  if (sequence === undefined) throw new Error("there is no sequence");
  const { input_ids, target_ids, loss_mask } = shifted(sequence);
  expect([[...input_ids], [...target_ids], [...loss_mask]]).toEqual([
    [1, 2, 3],
    [2, 3, 4],
    [0, 1, 1],
  ]);
  const { prompt_ids, response_ids, response_mask, response_logprobs } = promptResponse(sequence);
  expect([[...prompt_ids], [...response_ids], [...response_mask]]).toEqual([
    [1, 2],
    [3, 4],
    [1, 1],
  ]);
  expect([...(response_logprobs ?? [])]).toEqual([-0.003, -0.004]);
});

it("reads messages nested deeper than the call stack", () => {
  const depth = 100_000;
  const deep: unknown = JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`);
  expect(canonicalJson({ b: 1, a: deep })).toHaveLength(2 * depth + 12);
  const rollout = new Rollout();
  rollout.call([user("deep")], hello, { messages: [{ role: "user", content: "deep", deep }] });
  rollout.call([user("flat")], hello);
  expect(sequences(rollout.steps).sequences[1]?.split.reason).toBe("history_rewritten");
});

it("is truncated where the simulation was cut off after one of its steps, or its last answer was", () => {
  const truncatedOf = (last: object): readonly boolean[] => {
    const rollout = new Rollout();
    rollout.call(opening, hello);
    rollout.call([...opening, hello, user("left")], assistant("west"), last);
    rollout.call([...opening, hello, user("right")], assistant("east"));
    return sequences(rollout.steps).sequences.map(({ is_truncated }) => is_truncated);
  };
  expect(truncatedOf({})).toEqual([false, false]);
  expect(truncatedOf({ is_truncated: true })).toEqual([true, false]);
  expect(truncatedOf({ finish_reason: "max_tokens" })).toEqual([true, false]);
});
