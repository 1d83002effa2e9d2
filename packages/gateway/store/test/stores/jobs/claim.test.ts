import { expect, test } from "vitest";
import type { NewSimulation } from "../../../src/job-store.ts";
import { attemptsOf, idsOf, newJobId, sharedJobs, simulations } from "../../temporary-jobs.ts";

const database = sharedJobs();
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test("an added simulation waits to be claimed, with everything that was given for it", async () => {
  const { jobs } = database;
  const job_id = newJobId();
  const simulation: NewSimulation = {
    simulation_id: "sim 1/é",
    env_name: "maze",
    env_params: '{"seed": 12345678901234567890}',
    group_id: "group-7",
  };
  expect(await jobs.addSimulations(job_id, [simulation])).toBe(1);
  const [environment] = await attemptsOf(jobs, job_id);
  expect(environment).toEqual({
    session_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f-]+$/),
    job_id,
    ...simulation,
    attempt: 1,
    status: "pending",
    reward: null,
    result: null,
    error: null,
    owner: null,
    heartbeat_at: null,
    created_at: expect.stringMatching(isoTime),
    started_at: null,
    finished_at: null,
  });
  expect(await jobs.readEnvironment(environment?.session_id ?? "")).toEqual(environment);
  expect(await jobs.readEnvironment("unknown")).toBeNull();
});

test("thousands are claimed in the order in which they were added, whatever their names", async () => {
  const { jobs } = database;
  const job_id = newJobId();
  const added = simulations(1600).toReversed();
  expect(await jobs.addSimulations(job_id, added)).toBe(1600);
  const claimed: string[] = [];
  for (const limit of [1, 599, 5000]) {
    claimed.push(...idsOf(await jobs.claim({ job_id, owner: "me", limit })));
  }
  expect(claimed).toEqual(added.map(({ simulation_id }) => simulation_id));
});

test("the oldest are claimed first, whichever launcher added them", async () => {
  const { jobs } = database;
  const job_id = newJobId();
  const added = simulations(3);
  await jobs.addSimulations(job_id, added);
  for (const [index, { simulation_id }] of added.entries()) {
    await database.execute(
      "update job_environments set created_at = ? where job_id = ? and simulation_id = ?",
      `2001-02-0${9 - index}T00:00:00.000Z`,
      job_id,
      simulation_id,
    );
  }
  const claimed = await jobs.claim({ job_id, owner: "me", limit: 2 });
  expect(idsOf(claimed)).toEqual(["sim-003", "sim-002"]);
});

test("a simulation that the job already has is not added again", async () => {
  const { jobs } = database;
  const job_id = newJobId();
  const [first, second, third] = simulations(3);
  if (first === undefined || second === undefined || third === undefined) throw new Error();
  expect(await jobs.addSimulations(job_id, [first, second, first])).toBe(2);
  const [claimed] = await jobs.claim({ job_id, owner: "me", limit: 1 });
  const again = [{ ...first, env_params: "{}" }, third, second];
  expect(await jobs.addSimulations(job_id, again)).toBe(1);
  const attempts = await attemptsOf(jobs, job_id);
  expect(idsOf(attempts)).toEqual(["sim-001", "sim-002", "sim-003"]);
  expect(attempts[0]).toEqual(claimed);
  expect(await jobs.addSimulations(newJobId(), [first])).toBe(1);
  expect(await jobs.addSimulations(job_id, [])).toBe(0);
});

test("a claimed attempt runs only for its owner", async () => {
  const { jobs } = database;
  const job_id = newJobId();
  await jobs.addSimulations(job_id, simulations(3));
  const mine = await jobs.claim({ job_id, owner: "me", limit: 2 });
  expect(idsOf(mine)).toEqual(["sim-001", "sim-002"]);
  for (const row of mine) {
    expect(row).toMatchObject({ status: "running", owner: "me", finished_at: null });
    expect(row.started_at).toMatch(isoTime);
    expect(row.heartbeat_at).toBe(row.started_at);
    expect(await jobs.readEnvironment(row.session_id)).toEqual(row);
  }
  const theirs = await jobs.claim({ job_id, owner: "you", limit: 2 });
  expect(idsOf(theirs)).toEqual(["sim-003"]);
  expect(await jobs.claim({ job_id, owner: "you", limit: 2 })).toEqual([]);
  expect(await jobs.claim({ job_id: newJobId(), owner: "you", limit: 2 })).toEqual([]);
});

test.each([
  [0, 0],
  [-1, 0],
  [Number.NaN, 0],
  [1.9, 1],
  [Number.POSITIVE_INFINITY, 3],
])("a limit of %d claims %d of three", async (limit, count) => {
  const { jobs } = database;
  const job_id = newJobId();
  await jobs.addSimulations(job_id, simulations(3));
  expect(await jobs.claim({ job_id, owner: "me", limit })).toHaveLength(count);
});

test("one claim takes at most ten thousand attempts", async () => {
  const { jobs } = database;
  const job_id = newJobId();
  await jobs.addSimulations(job_id, simulations(10_001));
  const limit = Number.POSITIVE_INFINITY;
  expect(await jobs.claim({ job_id, owner: "me", limit })).toHaveLength(10_000);
  expect(await jobs.claim({ job_id, owner: "me", limit })).toHaveLength(1);
});

test("two stores that claim from one job at once never get the same attempt", async () => {
  const job_id = newJobId();
  await database.jobs.addSimulations(job_id, simulations(200));
  const claimAll = async (owner: string): Promise<string[]> => {
    const jobs = await database.openJobs();
    const claimed: string[] = [];
    for (let rows = 1; rows > 0; ) {
      const ids = idsOf(await jobs.claim({ job_id, owner, limit: 3 }));
      rows = ids.length;
      claimed.push(...ids);
    }
    return claimed;
  };
  const [mine, yours] = await Promise.all([claimAll("me"), claimAll("you")]);
  expect([...mine, ...yours].toSorted()).toEqual(
    simulations(200).map(({ simulation_id }) => simulation_id),
  );
  const owners = (await attemptsOf(database.jobs, job_id)).map(({ owner }) => owner);
  expect(owners.filter((owner) => owner === "me")).toHaveLength(mine.length);
});
