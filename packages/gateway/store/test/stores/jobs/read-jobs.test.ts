import { expect, test } from "vitest";
import type { EnvironmentQuery } from "../../../src/job-pages.ts";
import type { JobStore } from "../../../src/job-store.ts";
import {
  attemptsOf,
  expectKept,
  idsOf,
  makeStale,
  newJobId,
  rewardOf,
  sharedJobs,
  simulations,
  writeStep,
} from "../../temporary-jobs.ts";

const database = sharedJobs();

test("a job is counted by the newest attempt of each simulation", async () => {
  const { jobs, store } = database;
  const job_id = newJobId();
  expect(await jobs.readJob(job_id)).toBeNull();
  await jobs.addSimulations(job_id, simulations(7));
  const nothing = { running: 0, finished: 0, failed: 0, interrupted_attempts: 0 };
  const none = { infrastructure: 0, infrastructure_attempts: 0 };
  expect(await jobs.readJob(job_id)).toEqual({
    ...nothing,
    ...none,
    job_id,
    created_at: (await attemptsOf(jobs, job_id))[0]?.created_at,
    finished_at: null,
    simulations: 7,
    pending: 7,
    mean_reward: null,
  });

  const running = await jobs.claim({ job_id, owner: "me", limit: 6 });
  const [first, second, failed, retried, stale] = running.map(({ session_id }) => session_id);
  const failure = { owner: "me", error: "timed_out", result: null };
  await jobs.fail({ ...failure, session_id: failed ?? "", max_attempts: 1 });
  await jobs.fail({ ...failure, session_id: retried ?? "", max_attempts: 2 });
  await makeStale(database, stale ?? "");
  await jobs.interruptStale(job_id, 60_000);
  for (const session_id of [first ?? "", second ?? ""]) {
    await writeStep(store, session_id);
    await jobs.commitReward(rewardOf(session_id, { reward: session_id === first ? 1 : 0 }));
  }
  const last = await jobs.readEnvironment(second ?? "");
  expect(await jobs.readJob(job_id)).toMatchObject({
    finished_at: last?.finished_at,
    simulations: 7,
    // The one that was never begun, and the next attempts of two others.
    pending: 3,
    running: 1,
    finished: 2,
    failed: 1,
    interrupted_attempts: 1,
    mean_reward: 0.5,
  });
});

test("counts are kept of attempts that SQL adds, changes and deletes", async () => {
  const { jobs } = database;
  const job_id = newJobId();
  const insert = (...attempts: readonly [simulation: string, attempt: number, status: string][]) =>
    database.execute(
      `insert into job_environments (session_id, job_id, simulation_id, attempt, status, reward, created_at)
       values ${attempts
         .map(
           ([simulation, attempt, status]) =>
             `('${job_id}-${simulation}-${attempt}', '${job_id}', '${simulation}', ${attempt}, '${status}', 0.1, '2026')`,
         )
         .join(", ")}`,
    );
  await insert(["a", 1, "infrastructure"], ["a", 2, "infrastructure"], ["b", 1, "infrastructure"]);
  await expectKept(database, job_id);
  await insert(["a", 3, "finished"], ["b", 2, "pending"], ["c", 1, "infrastructure"]);
  await expectKept(database, job_id);
  const change = (sql: string, session: string) =>
    database.execute(`${sql} where session_id = ?`, `${job_id}-${session}`);
  await change("update job_environments set status = 'failed'", "a-1");
  await change("update job_environments set reward = null", "a-3");
  await change("delete from job_environments", "b-2");
  await expectKept(database, job_id);
  expect(await jobs.readJob(job_id)).toMatchObject({ infrastructure: 2, mean_reward: null });
  await database.execute("delete from job_environments where job_id = ?", job_id);
  expect(await jobs.readJob(job_id)).toBeNull();
});

test("launchers that change one job at once leave it counted, and rewards too large to add", async () => {
  const job_id = newJobId();
  const launchers = await Promise.all([1, 2, 3].map(() => database.openJobs()));
  await Promise.all(
    launchers.map(async (jobs, launcher) => {
      const owner = `launcher-${launcher}`;
      await jobs.addSimulations(job_id, simulations(24));
      for (let round = 0; round < 8; round += 1) {
        const claimed = await jobs.claim({ job_id, owner, limit: 6 });
        const [rewarded, failed, ...others] = claimed.map(({ session_id }) => session_id);
        if (rewarded === undefined || failed === undefined) continue;
        await jobs.heartbeat(owner, [failed, ...others]);
        const given = rewardOf(rewarded, { owner, reward: Number.MAX_VALUE });
        await writeStep(database.store, rewarded);
        expect(await jobs.commitReward(given)).toBe("committed");
        const failure = { owner, error: "cut", result: null, max_attempts: 2 } as const;
        await jobs.fail({ ...failure, session_id: failed, status: "infrastructure" });
        await jobs.interrupt(owner, others);
        await jobs.retryFailed(job_id, 3, 3);
      }
    }),
  );
  await expectKept(database, job_id);
});

test("jobs are listed newest first", async () => {
  const { jobs } = database;
  const ids = [newJobId(), newJobId(), newJobId()];
  for (const job_id of ids) await jobs.addSimulations(job_id, simulations(2));
  for (const [index, job_id] of ids.entries()) {
    await database.execute(
      "update job_counts set created_at = ? where job_id = ?",
      `2099-01-0${index + 1}T00:00:00.000Z`,
      job_id,
    );
  }
  const listed = await jobs.readJobs();
  expect(listed.slice(0, 3).map(({ job_id }) => job_id)).toEqual(ids.toReversed());
  expect(listed[0]).toEqual(await jobs.readJob(ids[2] ?? ""));
});

async function pagesOf(jobs: JobStore, query: EnvironmentQuery): Promise<string[][]> {
  const pages: string[][] = [];
  for (let page = await jobs.readEnvironments(query); ; ) {
    pages.push(
      page.environments.map(({ simulation_id, attempt }) => `${simulation_id} ${attempt}`),
    );
    if (page.next_after === null) return pages;
    page = await jobs.readEnvironments({ ...query, after: page.next_after });
  }
}

test("attempts are read in pages, simulation by simulation", async () => {
  const { jobs } = database;
  const job_id = newJobId();
  await jobs.addSimulations(job_id, simulations(3).toReversed());
  const running = await jobs.claim({ job_id, owner: "me", limit: 2 });
  const ids = running.map(({ session_id }) => session_id);
  await jobs.interrupt("me", ids);
  expect(await pagesOf(jobs, { job_id, limit: 2 })).toEqual([
    ["sim-001 1", "sim-002 1"],
    ["sim-002 2", "sim-003 1"],
    ["sim-003 2"],
  ]);
  expect(await pagesOf(jobs, { job_id, limit: 1, status: "interrupted" })).toEqual([
    ["sim-002 1"],
    ["sim-003 1"],
  ]);
  expect(await pagesOf(jobs, { job_id, limit: 5 })).toHaveLength(1);
  expect(await pagesOf(jobs, { job_id, status: "finished" })).toEqual([[]]);
  expect(await pagesOf(jobs, { job_id: newJobId() })).toEqual([[]]);
});

test("a page of a status examines 2,000 attempts, and those after it come with the next", async () => {
  const { jobs } = database;
  const job_id = newJobId();
  await jobs.addSimulations(job_id, simulations(2002));
  await database.execute(
    "update job_environments set status = 'failed' where job_id = ? and simulation_id >= 'sim-998'",
    job_id,
  );
  const pages = await pagesOf(jobs, { job_id, status: "failed", limit: 1 });
  expect(pages).toEqual([[], ["sim-998 1"], ["sim-999 1"]]);
  const pending = await pagesOf(jobs, { job_id, status: "pending", limit: 1000 });
  expect(pending.map((page) => page.length)).toEqual([1000, 1000]);
  expect(await pagesOf(jobs, { job_id, status: "finished" })).toEqual([[], []]);
});

test("a page has 100 attempts or 8 MiB, whichever is reached first", async () => {
  const { jobs } = database;
  const job_id = newJobId();
  await jobs.addSimulations(job_id, simulations(101));
  const page = await jobs.readEnvironments({ job_id });
  expect(idsOf(page.environments).at(-1)).toBe("sim-100");
  expect(page.next_after).toEqual({ simulation_id: "sim-100", attempt: 1 });

  const large = newJobId();
  const env_params = JSON.stringify("x".repeat(3 * 1024 * 1024));
  await jobs.addSimulations(large, simulations(3, { env_params }));
  expect(await pagesOf(jobs, { job_id: large })).toEqual([
    ["sim-001 1", "sim-002 1"],
    ["sim-003 1"],
  ]);
});

test("a launcher reads the steps of a session", async () => {
  const { jobs, store } = database;
  await writeStep(store, "session-of-steps", 1, { response: new TextEncoder().encode('"é"') });
  await writeStep(store, "session-of-steps", 2);
  const page = await jobs.readSteps({ session_id: "session-of-steps", limit: 1 });
  expect(page).toEqual(await store.readSteps({ session_id: "session-of-steps", limit: 1 }));
  expect(page.steps[0]?.response).toBe('"é"');
  expect(await jobs.hasStep({ session_id: "session-of-steps", model: "policy", step_id: 2 })).toBe(
    true,
  );
  expect(await jobs.hasStep({ session_id: "session-of-steps", model: "policy", step_id: 3 })).toBe(
    false,
  );
  expect(await jobs.hasStep({ session_id: "session-of-steps", model: "judge", step_id: 2 })).toBe(
    false,
  );
});

test("the largest step with status 200 is found by its metadata; broken metadata does not count", async () => {
  const { jobs, store } = database;
  const session_id = "session-of-statuses";
  const metadata = [
    '{"status_code":200}',
    '{"status_code":200.0}',
    '{"status_code":502}',
    "{",
    "[]",
  ];
  for (const [index, meta_json] of metadata.entries()) {
    await writeStep(store, session_id, index + 1, { meta_json });
  }
  await writeStep(store, session_id, 9, { model: "judge" });
  expect(await jobs.readLargestSuccessStep({ session_id, model: "policy" })).toBe(2);
  expect(await jobs.readLargestSuccessStep({ session_id, model: "judge" })).toBe(9);
  expect(await jobs.readLargestSuccessStep({ session_id, model: "other" })).toBeNull();
});
