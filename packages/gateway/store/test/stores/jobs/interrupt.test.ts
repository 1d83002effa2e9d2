import { expect, test } from "vitest";
import {
  attemptsOf,
  claimedAttempt,
  idsOf,
  makeStale,
  newJobId,
  rewardOf,
  sharedJobs,
  simulations,
  writeStep,
} from "../../temporary-jobs.ts";

const database = sharedJobs();
const minuteMs = 60_000;

test("a heartbeat keeps an attempt from going stale", async () => {
  const { jobs } = database;
  const { job_id, session_id, heartbeat_at } = await claimedAttempt(jobs);
  await makeStale(database, session_id);
  expect(await jobs.heartbeat("me", [session_id])).toEqual([]);
  const beaten = await jobs.readEnvironment(session_id);
  expect(beaten?.heartbeat_at?.localeCompare(heartbeat_at ?? "")).toBeGreaterThanOrEqual(0);
  expect(await jobs.interruptStale(job_id, minuteMs)).toEqual([]);
});

test("a heartbeat tells which attempts no longer belong to the owner", async () => {
  const { jobs, store } = database;
  const job_id = newJobId();
  await jobs.addSimulations(job_id, simulations(6));
  const [kept, stale, finished, failed] = await jobs.claim({ job_id, owner: "me", limit: 4 });
  const [other] = await jobs.claim({ job_id, owner: "you", limit: 1 });
  const pending = (await attemptsOf(jobs, job_id)).at(-1);
  const sessionOf = (row = kept): string => row?.session_id ?? "";
  await makeStale(database, sessionOf(stale));
  await jobs.interruptStale(job_id, minuteMs);
  await writeStep(store, sessionOf(finished));
  await jobs.commitReward(rewardOf(sessionOf(finished)));
  const failure = { owner: "me", error: "runtime_failed", result: null, max_attempts: 1 };
  await jobs.fail({ ...failure, session_id: sessionOf(failed) });
  // Attempts that the owner ended itself are not lost: a heartbeat may well arrive after the end.
  const all = [kept, stale, finished, failed, other, pending].map(sessionOf);
  expect(await jobs.heartbeat("me", [...all, "unknown"])).toEqual([
    sessionOf(stale),
    sessionOf(other),
    sessionOf(pending),
    "unknown",
  ]);
  expect((await jobs.readEnvironment(sessionOf(pending)))?.heartbeat_at).toBeNull();
  expect(await jobs.heartbeat("me", [])).toEqual([]);
});

test("a stale attempt is interrupted, and its simulation's next attempt waits", async () => {
  const { jobs } = database;
  const job_id = newJobId();
  const given = { env_name: "maze", env_params: '{"seed":1}', group_id: "group-7" };
  await jobs.addSimulations(job_id, simulations(2, given));
  const [stale, alive] = await jobs.claim({ job_id, owner: "me", limit: 2 });
  await makeStale(database, stale?.session_id ?? "");
  const interrupted = await jobs.interruptStale(job_id, minuteMs);
  expect(interrupted).toEqual([
    {
      ...stale,
      status: "interrupted",
      heartbeat_at: "2001-02-03T04:05:06.789Z",
      error: expect.stringMatching(/^heartbeat_lost: /),
      finished_at: expect.any(String),
    },
  ]);
  const [first, next, second] = await attemptsOf(jobs, job_id);
  expect(first).toEqual(interrupted[0]);
  expect(second).toEqual(alive);
  expect(next).toMatchObject({ ...given, simulation_id: "sim-001", attempt: 2, status: "pending" });
  expect(next).toMatchObject({ owner: null, started_at: null, error: null, result: null });
  expect(next?.session_id).not.toBe(first?.session_id);
  const [claimed] = await jobs.claim({ job_id, owner: "you", limit: 9 });
  expect(claimed?.session_id).toBe(next?.session_id);
});

test("a launcher that was away for too long writes nothing", async () => {
  const { jobs, store } = database;
  const { job_id, session_id } = await claimedAttempt(jobs);
  await writeStep(store, session_id);
  await makeStale(database, session_id);
  await jobs.interruptStale(job_id, minuteMs);
  const before = await attemptsOf(jobs, job_id);
  const failure = { session_id, owner: "me", error: "timed_out", result: null, max_attempts: 9 };
  expect(await jobs.fail(failure)).toBe(false);
  expect(await jobs.commitReward(rewardOf(session_id))).toBe("not_owner");
  expect(await jobs.heartbeat("me", [session_id])).toEqual([session_id]);
  expect(await jobs.interrupt("me", [session_id])).toEqual([]);
  expect(await attemptsOf(jobs, job_id)).toEqual(before);
  const { steps } = await jobs.readSteps({ session_id });
  expect(steps[0]).toMatchObject({ reward: null, is_session_completed: false });
});

test("two launchers that interrupt at once add one attempt", async () => {
  const job_id = newJobId();
  await database.jobs.addSimulations(job_id, simulations(50));
  const running = await database.jobs.claim({ job_id, owner: "me", limit: 50 });
  for (const { session_id } of running) await makeStale(database, session_id);
  const stores = await Promise.all([database.openJobs(), database.openJobs()]);
  const found = await Promise.all(stores.map((jobs) => jobs.interruptStale(job_id, minuteMs)));
  expect(idsOf(found.flat()).toSorted()).toEqual(idsOf(running));
  const attempts = await attemptsOf(database.jobs, job_id);
  expect(attempts.map(({ attempt, status }) => `${attempt} ${status}`)).toEqual(
    running.flatMap(() => ["1 interrupted", "2 pending"]),
  );
});

test("with an infinite timeout, nothing is ever stale", async () => {
  const { jobs } = database;
  const { job_id, session_id } = await claimedAttempt(jobs);
  await makeStale(database, session_id);
  expect(await jobs.interruptStale(job_id, Number.POSITIVE_INFINITY)).toEqual([]);
});

test("a launcher that stops gives back only its own attempts", async () => {
  const { jobs } = database;
  const job_id = newJobId();
  await jobs.addSimulations(job_id, simulations(4));
  const mine = await jobs.claim({ job_id, owner: "me", limit: 2 });
  const yours = await jobs.claim({ job_id, owner: "you", limit: 1 });
  const ids = [...mine, ...yours].map(({ session_id }) => session_id);
  const interrupted = await jobs.interrupt("me", ids);
  expect(idsOf(interrupted)).toEqual(idsOf(mine));
  for (const { status, error } of interrupted) {
    expect(status).toBe("interrupted");
    expect(error).toMatch(/^launcher_stopped: /);
  }
  expect(await jobs.readEnvironment(ids[2] ?? "")).toEqual(yours[0]);
  // They were added last, so they are begun again last.
  const claimed = await jobs.claim({ job_id, owner: "you", limit: 9 });
  expect(claimed.map(({ simulation_id, attempt }) => [simulation_id, attempt])).toEqual([
    ["sim-004", 1],
    ["sim-001", 2],
    ["sim-002", 2],
  ]);
  expect(await jobs.interrupt("me", [])).toEqual([]);
});
