import { expect, test } from "vitest";
import type { RewardReplacement } from "../../../src/job-store.ts";
import { claimedAttempt, rewardOf, sharedJobs, writeStep } from "../../temporary-jobs.ts";

const database = sharedJobs();

const replacementOf = (
  session_id: string,
  changes: Partial<RewardReplacement> = {},
): RewardReplacement => {
  const { model, step_id } = rewardOf(session_id);
  const evaluation = '{"score":0.75}';
  return { session_id, model, step_id, reward: 0.75, is_truncated: false, evaluation, ...changes };
};

async function stateOf(session_id: string) {
  const { steps } = await database.jobs.readSteps({ session_id });
  return { steps, environment: await database.jobs.readEnvironment(session_id) };
}

test("a reward is replaced on the step that has it, and its evaluation too", async () => {
  const { jobs, store } = database;
  const { session_id } = await claimedAttempt(jobs);
  const meta_json = '{"status_code":200, "cost": 0.10}';
  await writeStep(store, session_id, 1, { meta_json });
  await writeStep(store, session_id, 2);
  await jobs.commitReward(rewardOf(session_id, { reward: 1, evaluation: '{"score":1,"by":"x"}' }));
  const before = await stateOf(session_id);
  const seed = '{"score":0.75,"seed":12345678901234567890}';
  const replacement = replacementOf(session_id, { step_id: 2, evaluation: seed });
  expect(await jobs.replaceReward(replacement)).toBe("replaced");
  const { steps, environment } = await stateOf(session_id);
  expect(steps[0]).toEqual({
    ...before.steps[0],
    reward: 0.75,
    step_reward: 0.75,
    meta_json: `{"status_code":200, "cost": 0.10,"eval":${seed}}`,
  });
  expect(steps[1]).toEqual(before.steps[1]);
  expect(environment).toEqual({ ...before.environment, reward: 0.75 });
});

test("a reward finishes an attempt that failed after it was played", async () => {
  const { jobs, store } = database;
  const { session_id, owner } = await claimedAttempt(jobs);
  await writeStep(store, session_id);
  const failure = { error: "evaluator_exited: no", result: '{"truncated":true}', max_attempts: 1 };
  await jobs.fail({ session_id, owner: owner ?? "", ...failure });
  expect(await jobs.replaceReward(replacementOf(session_id, { is_truncated: true }))).toBe(
    "replaced",
  );
  const { steps, environment } = await stateOf(session_id);
  expect(steps[0]).toMatchObject({
    reward: 0.75,
    is_terminal: true,
    is_session_completed: true,
    is_truncated: true,
  });
  expect(environment).toMatchObject({ status: "finished", reward: 0.75, error: null });
});

test("nothing is replaced if the attempt is running, has no such step, or is not the newest", async () => {
  const { jobs, store } = database;
  const { session_id, owner } = await claimedAttempt(jobs);
  expect(await jobs.replaceReward(replacementOf(session_id))).toBe("not_ended");
  expect(await jobs.replaceReward(replacementOf("unknown"))).toBe("not_ended");
  const failure = { error: "evaluator_exited: no", result: "{}", max_attempts: 2 };
  await jobs.fail({ session_id, owner: owner ?? "", ...failure });
  await writeStep(store, session_id);
  const before = await stateOf(session_id);
  expect(await jobs.replaceReward(replacementOf(session_id))).toBe("superseded");
  expect(await stateOf(session_id)).toEqual(before);

  const other = await claimedAttempt(jobs);
  await jobs.fail({
    session_id: other.session_id,
    owner: other.owner ?? "",
    ...failure,
    max_attempts: 1,
  });
  expect(await jobs.replaceReward(replacementOf(other.session_id))).toBe("no_step");
});

test("a reward that is not finite, or an evaluation that is not an object, is refused", async () => {
  const { jobs } = database;
  const { session_id } = await claimedAttempt(jobs);
  for (const changes of [{ reward: Number.NaN }, { evaluation: "[]" }]) {
    await expect(jobs.replaceReward(replacementOf(session_id, changes))).rejects.toThrow(TypeError);
  }
});
