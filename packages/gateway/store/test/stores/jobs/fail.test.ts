import { expect, test } from "vitest";
import {
  attemptsOf,
  claimedAttempt,
  makeStale,
  newJobId,
  rewardOf,
  sharedJobs,
  simulations,
  writeStep,
} from "../../temporary-jobs.ts";

const database = sharedJobs();

const failureOf = (session_id: string, max_attempts: number) => ({
  session_id,
  owner: "me",
  error: "runtime_exited: status 3",
  result: '{"status":"failed"}',
  max_attempts,
});

/** Claims and fails the one pending attempt of a job. */
async function failNext(job_id: string, max_attempts: number): Promise<void> {
  const [claimed] = await database.jobs.claim({ job_id, owner: "me", limit: 1 });
  expect(await database.jobs.fail(failureOf(claimed?.session_id ?? "", max_attempts))).toBe(true);
}

async function statusesOf(job_id: string): Promise<string[]> {
  const attempts = await attemptsOf(database.jobs, job_id);
  return attempts.map(({ attempt, status }) => `${attempt} ${status}`);
}

test("a failed attempt says why, and the last allowed one has no successor", async () => {
  const { jobs } = database;
  const claimed = await claimedAttempt(jobs);
  expect(await jobs.fail(failureOf(claimed.session_id, 1))).toBe(true);
  expect(await attemptsOf(jobs, claimed.job_id)).toEqual([
    {
      ...claimed,
      status: "failed",
      error: "runtime_exited: status 3",
      result: '{"status":"failed"}',
      finished_at: expect.any(String),
    },
  ]);
});

test("a simulation is tried again until enough of its attempts have failed", async () => {
  const job_id = newJobId();
  await database.jobs.addSimulations(job_id, simulations(1));
  await failNext(job_id, 3);
  expect(await statusesOf(job_id)).toEqual(["1 failed", "2 pending"]);
  await failNext(job_id, 3);
  await failNext(job_id, 3);
  expect(await statusesOf(job_id)).toEqual(["1 failed", "2 failed", "3 failed"]);
});

test("an interrupted attempt is not counted as failed", async () => {
  const { jobs } = database;
  const { job_id, session_id } = await claimedAttempt(jobs);
  await makeStale(database, session_id);
  await jobs.interruptStale(job_id, 60_000);
  await failNext(job_id, 2);
  expect(await statusesOf(job_id)).toEqual(["1 interrupted", "2 failed", "3 pending"]);
});

test("a failure that is reported twice, because the answer was lost, counts once", async () => {
  const { jobs } = database;
  const { job_id, session_id } = await claimedAttempt(jobs);
  expect(await jobs.fail(failureOf(session_id, 2))).toBe(true);
  expect(await jobs.fail(failureOf(session_id, 2))).toBe(true);
  expect(await statusesOf(job_id)).toEqual(["1 failed", "2 pending"]);
});

test("only attempts that run for the owner can fail", async () => {
  const { jobs, store } = database;
  const { job_id, session_id } = await claimedAttempt(jobs);
  expect(await jobs.fail({ ...failureOf(session_id, 2), owner: "you" })).toBe(false);
  expect(await jobs.fail(failureOf("unknown", 2))).toBe(false);
  await writeStep(store, session_id);
  await jobs.commitReward(rewardOf(session_id));
  expect(await jobs.fail(failureOf(session_id, 2))).toBe(false);
  expect(await statusesOf(job_id)).toEqual(["1 finished"]);
});

test("simulations that failed are tried again when more attempts are allowed", async () => {
  const { jobs } = database;
  const job_id = newJobId();
  await jobs.addSimulations(job_id, simulations(1203));
  await jobs.claim({ job_id, owner: "me", limit: 1201 });
  await database.execute(
    "update job_environments set status = 'failed' where job_id = ? and owner = 'me'",
    job_id,
  );
  expect(await jobs.retryFailed(job_id, 1)).toBe(0);
  expect(await jobs.retryFailed(job_id, 2)).toBe(1201);
  // Each now has a newer attempt, which has not failed.
  expect(await jobs.retryFailed(job_id, 3)).toBe(0);
  expect(await jobs.retryFailed(newJobId(), 3)).toBe(0);
  const job = await jobs.readJob(job_id);
  expect(job).toMatchObject({ simulations: 1203, pending: 1203, failed: 0 });
  expect((await statusesOf(job_id)).slice(0, 4)).toEqual([
    "1 failed",
    "2 pending",
    "1 failed",
    "2 pending",
  ]);
});
