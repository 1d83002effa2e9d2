import { expect, test } from "vitest";
import type { AttemptFailure } from "../../../src/job-store.ts";
import {
  attemptsOf,
  newJobId,
  rewardOf,
  sharedJobs,
  simulations,
  writeStep,
} from "../../temporary-jobs.ts";

const database = sharedJobs();

async function failNext(job_id: string, failure: Partial<AttemptFailure>): Promise<string> {
  const [claimed] = await database.jobs.claim({ job_id, owner: "me", limit: 1 });
  const session_id = claimed?.session_id ?? "";
  const base = { session_id, owner: "me", error: "upstream_failed: 503", result: null };
  expect(await database.jobs.fail({ ...base, max_attempts: 1, ...failure })).toBe(true);
  return session_id;
}

const statusesOf = async (job_id: string): Promise<string[]> =>
  (await attemptsOf(database.jobs, job_id)).map(({ status }) => status);

test("failures of the infrastructure are counted apart from the agent's", async () => {
  const { jobs } = database;
  const job_id = newJobId();
  await jobs.addSimulations(job_id, simulations(1));
  await failNext(job_id, { status: "infrastructure", max_attempts: 3 });
  await failNext(job_id, { max_attempts: 2 });
  await failNext(job_id, { status: "infrastructure", max_attempts: 3 });
  await failNext(job_id, { status: "infrastructure", max_attempts: 3 });
  const ends = ["infrastructure", "failed", "infrastructure", "infrastructure"];
  expect(await statusesOf(job_id)).toEqual(ends);
  const counted = { finished: 0, failed: 0, infrastructure: 1, infrastructure_attempts: 3 };
  expect(await jobs.readJob(job_id)).toMatchObject(counted);
  // Only a larger count of its own brings it back.
  expect(await jobs.retryFailed(job_id, 10, 3)).toBe(0);
  expect(await jobs.retryFailed(job_id, 10, 4)).toBe(1);
  expect(await jobs.readJob(job_id)).toMatchObject({ pending: 1, infrastructure: 0 });
});

test("a group ends without the simulations that the infrastructure failed, and has them on request", async () => {
  const { jobs, store } = database;
  const job_id = newJobId();
  await jobs.addSimulations(job_id, simulations(2, { group_id: "g" }));
  await failNext(job_id, { status: "infrastructure" });
  const [claimed] = await jobs.claim({ job_id, owner: "me", limit: 1 });
  await writeStep(store, claimed?.session_id ?? "");
  await jobs.commitReward(rewardOf(claimed?.session_id ?? ""));
  const idsOf = async (include_infrastructure?: boolean) =>
    (await jobs.readFeed({ job_id, include_infrastructure }))?.groups.map(({ environments }) =>
      environments.map(({ simulation_id }) => simulation_id),
    );
  expect(await idsOf()).toEqual([["sim-002"]]);
  expect(await idsOf(true)).toEqual([["sim-001", "sim-002"]]);
});

test("an attempt whose evaluator could not run can be scored later", async () => {
  const { jobs, store } = database;
  const job_id = newJobId();
  await jobs.addSimulations(job_id, simulations(1));
  const session_id = await failNext(job_id, { status: "infrastructure" });
  await writeStep(store, session_id);
  expect(await jobs.replaceReward({ ...rewardOf(session_id), reward: 1 })).toBe("replaced");
  expect(await jobs.readJob(job_id)).toMatchObject({ finished: 1, infrastructure: 0 });
});

test("the last call of a session is the newest row, whatever its model", async () => {
  const { jobs, store } = database;
  expect(await jobs.readLastCall("nobody")).toBeNull();
  await writeStep(store, "last", 1);
  await writeStep(store, "last", 1, { model: "other", request_id: "x", status_code: 503 });
  expect(await jobs.readLastCall("last")).toMatchObject({ model: "other", status_code: 503 });
});
