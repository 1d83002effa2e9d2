import { expect, test } from "vitest";
import type { RewardCommit } from "../../../src/job-store.ts";
import { utf8 } from "../../temporary-database.ts";
import { claimedAttempt, rewardOf, sharedJobs, writeStep } from "../../temporary-jobs.ts";

const database = sharedJobs();

async function stateOf(session_id: string) {
  const { steps } = await database.jobs.readSteps({ session_id });
  return { steps, environment: await database.jobs.readEnvironment(session_id) };
}

test("a reward is written to its step, and ends the attempt", async () => {
  const { jobs, store } = database;
  const claimed = await claimedAttempt(jobs);
  const { session_id } = claimed;
  const meta_json = '{"status_code":200, "cost": 0.10}';
  await writeStep(store, session_id, 1);
  await writeStep(store, session_id, 2, { meta_json, response: utf8('{"id":"answer"}') });
  const before = await stateOf(session_id);
  const evaluation = '{"score":0.25,"seed":12345678901234567890}';
  const commit = rewardOf(session_id, { step_id: 2, reward: 0.25, evaluation });
  expect(await jobs.commitReward(commit)).toBe("committed");
  const { steps, environment } = await stateOf(session_id);
  expect(steps[0]).toEqual(before.steps[0]);
  expect(steps[1]).toEqual({
    ...before.steps[1],
    reward: 0.25,
    step_reward: 0.25,
    is_terminal: true,
    is_session_completed: true,
    is_truncated: false,
    is_trainable: false,
    meta_json: `{"status_code":200, "cost": 0.10,"eval":${evaluation}}`,
  });
  expect(environment).toEqual({
    ...claimed,
    status: "finished",
    reward: 0.25,
    result: '{"status":"completed"}',
    finished_at: expect.any(String),
  });
});

test("a simulation that was cut off is marked as truncated", async () => {
  const { jobs, store } = database;
  const { session_id } = await claimedAttempt(jobs);
  await writeStep(store, session_id);
  await jobs.commitReward(rewardOf(session_id, { is_truncated: true, reward: -1 }));
  const { steps, environment } = await stateOf(session_id);
  expect(steps[0]).toMatchObject({ is_truncated: true, is_terminal: true, reward: -1 });
  expect(environment?.reward).toBe(-1);
});

test("a second commit changes nothing, whichever launcher sends it", async () => {
  const { jobs, store } = database;
  const { session_id } = await claimedAttempt(jobs);
  await writeStep(store, session_id);
  await jobs.commitReward(rewardOf(session_id));
  const before = await stateOf(session_id);
  const other: (Partial<RewardCommit> & { step_id?: number })[] = [
    {},
    { reward: 9 },
    { owner: "you" },
    { step_id: 2 },
  ];
  for (const changes of other) {
    expect(await jobs.commitReward(rewardOf(session_id, changes))).toBe("already_committed");
  }
  expect(await stateOf(session_id)).toEqual(before);
});

test("a step that already has a reward ends the attempt with it", async () => {
  const { jobs, store } = database;
  const { session_id } = await claimedAttempt(jobs);
  await writeStep(store, session_id);
  await database.execute(
    "update session_steps set reward = 0.75, is_session_completed = true where session_id = ?",
    session_id,
  );
  const before = await stateOf(session_id);
  expect(await jobs.commitReward(rewardOf(session_id, { reward: 9 }))).toBe("already_committed");
  const { steps, environment } = await stateOf(session_id);
  expect(steps).toEqual(before.steps);
  expect(environment).toMatchObject({ status: "finished", reward: 0.75 });
});

test("without its step nothing is changed, and the step may still arrive", async () => {
  const { jobs, store } = database;
  const { session_id } = await claimedAttempt(jobs);
  await writeStep(store, session_id, 1, { model: "judge" });
  await writeStep(store, session_id, 2);
  const before = await stateOf(session_id);
  expect(await jobs.commitReward(rewardOf(session_id))).toBe("no_step");
  expect(await stateOf(session_id)).toEqual(before);
  await writeStep(store, session_id, 1, { request_id: `${session_id}-late` });
  expect(await jobs.commitReward(rewardOf(session_id))).toBe("committed");
});

test("only the owner of a running attempt commits", async () => {
  const { jobs, store } = database;
  const { session_id } = await claimedAttempt(jobs);
  await writeStep(store, session_id);
  await writeStep(store, "unbound");
  const before = await stateOf(session_id);
  expect(await jobs.commitReward(rewardOf(session_id, { owner: "you" }))).toBe("not_owner");
  expect(await jobs.commitReward(rewardOf("unbound"))).toBe("not_owner");
  expect(await stateOf(session_id)).toEqual(before);
  expect((await stateOf("unbound")).steps[0]?.reward).toBeNull();
});

test.each([
  [{ reward: Number.NaN }, /reward must be a finite number, but is NaN/],
  [{ reward: Number.POSITIVE_INFINITY }, /but is Infinity/],
  [{ evaluation: "0.5" }, /evaluation must be the JSON text of an object/],
  [{ evaluation: '{"score":' }, /evaluation must be/],
] as const)("%j is refused", async (changes, message) => {
  const { jobs, store } = database;
  const { session_id } = await claimedAttempt(jobs);
  await writeStep(store, session_id);
  const refused = jobs.commitReward(rewardOf(session_id, changes));
  await expect(refused).rejects.toThrow(TypeError);
  await expect(refused).rejects.toThrow(message);
  expect(await jobs.commitReward(rewardOf(session_id))).toBe("committed");
});

test("metadata that is not JSON is replaced by the evaluation", async () => {
  const { jobs, store } = database;
  const { session_id } = await claimedAttempt(jobs);
  await writeStep(store, session_id, 1, { meta_json: '{"status_' });
  await jobs.commitReward(rewardOf(session_id));
  expect((await stateOf(session_id)).steps[0]?.meta_json).toBe('{"eval":{"score":0.5}}');
});

test("a later correction of the step by the gateway keeps the evaluation", async () => {
  const { jobs, store } = database;
  const { session_id } = await claimedAttempt(jobs);
  await writeStep(store, session_id);
  await jobs.commitReward(rewardOf(session_id));
  const amendment = { request_id: `${session_id}-1`, status_code: 503, meta_json: '{"late":true}' };
  await store.amendSteps([amendment]);
  const { steps } = await stateOf(session_id);
  expect(steps[0]?.meta_json).toBe('{"late":true,"eval":{"score":0.5}}');
});
