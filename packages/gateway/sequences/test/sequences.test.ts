import { expect, it } from "vitest";
import { promptResponse, sequences, shifted } from "../src/index.ts";
import { canonicalJson } from "../src/messages/canonical-json.ts";
import { assistant, Rollout, render, stepAt, system, user } from "./rollout.ts";

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
  expect(ledger).toMatchObject({ captured: 16, delivered: 16 });
  expect(ledger.breaks_by_reason).toEqual({ first: 1, history_rewritten: 1 });
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

it("trains on every answer to a prompt, unless a call says that it retries another", () => {
  const ids = { prompt_ids: [1, 2], completion_ids: [3] };
  const { sequences: found, ledger } = sequences([stepAt(1, ids), stepAt(2, ids)]);
  expect(found.map(({ loss_mask }) => [...loss_mask])).toEqual([
    [0, 0, 1],
    [0, 0, 1],
  ]);
  expect(found.map(({ split }) => [split.reason, split.compared_with])).toEqual([
    ["first", null],
    ["sampled_again", "s1"],
  ]);
  expect(ledger).toMatchObject({ captured: 2, delivered: 2, prefix_extension_rate: 1 });
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

it("is all prompt in the form for trainers of responses where nothing is trained on", () => {
  const ids = { prompt_ids: [1], completion_ids: [2], replayed_from: "source/policy/1" };
  const [sequence] = sequences([stepAt(1, ids)]).sequences;
  if (sequence === undefined) throw new Error("there is no sequence");
  const { prompt_ids, response_ids } = promptResponse(sequence);
  expect([[...prompt_ids], [...response_ids]]).toEqual([[1, 2], []]);
  const unknown = { ...sequence, logprobs: null };
  expect(promptResponse(unknown).response_logprobs).toBeNull();
  expect(shifted(unknown).logprobs).toBeNull();
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

it("trains on all of several answers of which the agent continues one", () => {
  const rollout = new Rollout();
  for (const answer of ["hello", "hey", "hi"]) rollout.call(opening, assistant(answer));
  rollout.call([...opening, assistant("hey"), user("go on")], assistant("done"));
  const { sequences: found, ledger } = sequences(rollout.steps);
  expect(ledger.delivered_fraction).toBe(1);
  expect(
    found.map(({ spans }) => spans.filter(({ kind }) => kind === "completion").length),
  ).toEqual([1, 1, 2]);
  expect(ledger.breaks_by_reason).toEqual({ first: 1, sampled_again: 2 });
});

it("keeps the call that was continued of those that retry each other", () => {
  const rollout = new Rollout();
  rollout.call(opening, hello);
  rollout.call(opening, assistant("hey"), { retry_of: "s1" });
  rollout.call(opening, assistant("hi"), { retry_of: "s2" });
  rollout.call([...opening, assistant("hey"), user("go on")], assistant("done"));
  expect(sequences(rollout.steps).ledger.steps).toMatchObject([
    { reason: "superseded_retry", by: "s2" },
    { reason: null },
    { reason: "superseded_retry", by: "s2" },
    { reason: null },
  ]);
});

it("counts tokens that were sampled without ids, and steps that nobody counted", () => {
  const ids = { prompt_ids: [1, 2], completion_ids: [3, 4] };
  const { ledger } = sequences([
    stepAt(1, ids),
    stepAt(2, { sampled_tokens: 6, ids_missing: "api" }),
    stepAt(3, { sampled_tokens: 0, status_code: 502 }),
    stepAt(4),
  ]);
  expect(ledger).toMatchObject({ captured: 8, delivered: 2, dropped: 6, delivered_fraction: 0.25 });
  expect(ledger.unknown_steps).toBe(1);
  expect(ledger.steps).toMatchObject([
    { captured: 2, is_count_known: true, by: null },
    { captured: 6, is_count_known: true, reason: "no_token_ids", by: "api" },
    { captured: 0, is_count_known: true, reason: "aborted" },
    { captured: 0, is_count_known: false, reason: "no_token_ids", by: null },
  ]);
});

it("goes by the order of rows where clocks went back", () => {
  const rollout = new Rollout();
  rollout.call(opening, hello, { order: { began: 1, ended: 7 } });
  rollout.call([...opening, hello, user("go on")], assistant("done"), {
    order: { began: 2, ended: 9 },
    started_at: -1000,
    ended_at: -999,
  });
  const found = sequences(rollout.steps.toReversed()).sequences;
  expect(found.map(({ spans }) => spans.map(({ step }) => step))).toEqual([
    ["s1", "s1", "s2", "s2"],
  ]);
});

it("orders the calls of a model as they began, whichever ended first", () => {
  const slow = stepAt(1, { prompt_ids: [1], completion_ids: [2], order: { began: 1, ended: 8 } });
  const fast = stepAt(2, { prompt_ids: [3], completion_ids: [4], order: { began: 2, ended: 5 } });
  const { ledger } = sequences([fast, slow]);
  expect(ledger.steps.map(({ step }) => step)).toEqual(["s1", "s2"]);
});

it("takes the first model by name for the policy where two sampled as much", () => {
  const ids = { prompt_ids: [1, 2], completion_ids: [3, 4] };
  const steps = [stepAt(1, { ...ids, model: "b" }), stepAt(2, { ...ids, model: "a" })];
  expect(sequences(steps).ledger.steps).toMatchObject([{ by: "other_model" }, { delivered: 2 }]);
  const counted = [stepAt(1, { model: "a" }), stepAt(2, { model: "b", sampled_tokens: 5 })];
  expect(sequences(counted).ledger.steps).toMatchObject([
    { reason: "side_call" },
    { reason: "no_token_ids" },
  ]);
});

it("marks the sequence that has the last step anywhere in it", () => {
  const rollout = new Rollout();
  rollout.call(opening, hello, { is_terminal: true });
  rollout.call([...opening, hello, user("bye")], assistant("bye"));
  rollout.call([user("else")], assistant("yes"));
  expect(sequences(rollout.steps).sequences.map(({ is_terminal }) => is_terminal)).toEqual([
    true,
    false,
  ]);
});

it("ends a version's span where the next prompt left tokens out", () => {
  const versions = [{ version: "7", start: 0, end: 6 }];
  const rollout = new Rollout();
  rollout.call(opening, hello, { versions });
  const messages = [...opening, hello, user("go on")];
  const end = render(opening).length + 5;
  const prompt_ids = render(messages).toSpliced(end, 1);
  rollout.call(messages, assistant("done"), { prompt_ids });
  const [sequence] = sequences(rollout.steps).sequences;
  expect(sequence?.trims).toHaveLength(1);
  expect(sequence?.versions).toEqual([{ version: "7", start: end - 5, end }]);
});
