import { expect, test } from "vitest";
import type { EnvironmentRow } from "../../../src/environment-row.ts";
import type { JobFeedPage } from "../../../src/finished-groups.ts";
import type { NewSimulation } from "../../../src/job-store.ts";
import {
  makeStale,
  newJobId,
  rewardOf,
  sharedJobs,
  simulations,
  writeStep,
} from "../../temporary-jobs.ts";

const database = sharedJobs();

const inGroup = (group_id: string | null, ...names: string[]): NewSimulation[] =>
  names.map((simulation_id) => ({
    simulation_id,
    env_name: null,
    env_params: null,
    group_id,
  }));

async function jobOf(...added: NewSimulation[]): Promise<string> {
  const job_id = newJobId();
  await database.jobs.addSimulations(job_id, added);
  return job_id;
}

/** Claims everything that is pending, by simulation. */
async function claimAll(job_id: string): Promise<(simulation_id: string) => EnvironmentRow> {
  const claimed = await database.jobs.claim({ job_id, owner: "me", limit: 100 });
  return (simulation_id) => {
    const row = claimed.find((each) => each.simulation_id === simulation_id);
    if (row === undefined) throw new Error(`${simulation_id} is not among the claimed ones`);
    return row;
  };
}

async function reward({ session_id }: EnvironmentRow): Promise<void> {
  await writeStep(database.store, session_id);
  expect(await database.jobs.commitReward(rewardOf(session_id))).toBe("committed");
}

const fail = ({ session_id }: EnvironmentRow, max_attempts: number): Promise<boolean> =>
  database.jobs.fail({ session_id, owner: "me", error: "x", result: null, max_attempts });

async function feedOf(job_id: string, after = 0, limit = 100): Promise<JobFeedPage> {
  const page = await database.jobs.readFeed({ job_id, after, limit });
  if (page === null) throw new Error("the job exists");
  return page;
}

/** `group: simulation attempt status`, in the order of the feed. */
const told = ({ groups }: JobFeedPage): string[] =>
  groups.map(({ group_id, environments }) => {
    const members = environments.map(
      ({ simulation_id, attempt, status }) => `${simulation_id} ${attempt} ${status}`,
    );
    return `${group_id}: ${members.join(", ")}`;
  });

test("neither a group nor its job is over while one of its simulations waits or runs", async () => {
  const job_id = await jobOf(...inGroup("g", "a", "b"));
  const begun = async (): Promise<EnvironmentRow> => {
    const [row] = await database.jobs.claim({ job_id, owner: "me", limit: 1 });
    if (row === undefined) throw new Error("there is one to be claimed");
    return row;
  };
  const open = { groups: [], is_finished: false };
  await reward(await begun());
  expect(await feedOf(job_id)).toEqual(open);
  const second = await begun();
  expect(await feedOf(job_id)).toEqual(open);
  await reward(second);
  const over = await feedOf(job_id);
  expect([told(over), over.is_finished]).toEqual([["g: a 1 finished, b 1 finished"], true]);
});

test("a group appears once all of its simulations have ended, in the order in which groups ended", async () => {
  const job_id = await jobOf(...inGroup("one", "a", "b"), ...inGroup("two", "c", "d"));
  expect(await feedOf(job_id)).toEqual({ groups: [], is_finished: false });
  const claimed = await claimAll(job_id);
  for (const name of ["a", "d", "c"]) await reward(claimed(name));
  expect(told(await feedOf(job_id))).toEqual(["two: c 1 finished, d 1 finished"]);
  await reward(claimed("b"));
  const whole = await feedOf(job_id);
  expect(told(whole)).toEqual([
    "two: c 1 finished, d 1 finished",
    "one: a 1 finished, b 1 finished",
  ]);
  expect(whole.groups.map(({ position }) => position)).toEqual([1, 2]);
  expect(whole.is_finished).toBe(true);
  expect(told(await feedOf(job_id, 1))).toEqual(["one: a 1 finished, b 1 finished"]);
  const firstPage = await feedOf(job_id, 0, 1);
  expect(told(firstPage)).toEqual(["two: c 1 finished, d 1 finished"]);
  // A follower that stopped here would miss the other group.
  expect(firstPage.is_finished).toBe(false);
  expect(await feedOf(job_id, 2)).toEqual({ groups: [], is_finished: true });
});

test("a simulation without a group counts as a group", async () => {
  const job_id = await jobOf(...inGroup(null, "a", "b"));
  const claimed = await claimAll(job_id);
  await reward(claimed("b"));
  expect(told(await feedOf(job_id))).toEqual(["null: b 1 finished"]);
});

test("a group waits for further attempts, and lists only the last one of each simulation", async () => {
  const job_id = await jobOf(...inGroup("g", "a", "b", "c"));
  const first = await claimAll(job_id);
  await reward(first("a"));
  await fail(first("b"), 2);
  await makeStale(database, first("c").session_id);
  await database.jobs.interruptStale(job_id, 1_000);
  expect((await feedOf(job_id)).groups).toEqual([]);
  const second = await claimAll(job_id);
  await fail(second("b"), 2);
  await reward(second("c"));
  expect(told(await feedOf(job_id))).toEqual(["g: a 1 finished, b 2 failed, c 2 finished"]);
});

test("a group does not reappear when it is tried again or scored again", async () => {
  const job_id = await jobOf(...inGroup("g", "a", "b"));
  const claimed = await claimAll(job_id);
  await reward(claimed("a"));
  await fail(claimed("b"), 1);
  await database.jobs.retryFailed(job_id, 2);
  expect(await feedOf(job_id)).toMatchObject({ is_finished: false });
  await reward((await claimAll(job_id))("b"));
  const { session_id } = claimed("a");
  const evaluation = '{"score":1}';
  await database.jobs.replaceReward({
    ...{ session_id, model: "policy", step_id: 1, reward: 1, is_truncated: false, evaluation },
  });
  const { groups } = await feedOf(job_id);
  expect(groups.map(({ position }) => position)).toEqual([1]);
});

test("members of a group that end at the same time, in different launchers, appear once", async () => {
  const names = Array.from({ length: 8 }, (_, at) => `s${at}`);
  const job_id = await jobOf(...inGroup("g", ...names));
  const claimed = await claimAll(job_id);
  const launchers = await Promise.all(names.map(() => database.openJobs()));
  for (const name of names) await writeStep(database.store, claimed(name).session_id);
  await Promise.all(
    names.map((name, at) => launchers[at]?.commitReward(rewardOf(claimed(name).session_id))),
  );
  const { groups, is_finished } = await feedOf(job_id);
  expect(groups.map(({ environments }) => environments.length)).toEqual([8]);
  expect(is_finished).toBe(true);
});

test("a group is added in one transaction, however many simulations precede it", async () => {
  const job_id = newJobId();
  const other = simulations(495).map((each) => ({ ...each, group_id: "many" }));
  const names = Array.from({ length: 10 }, (_, at) => `x${at}`);
  const watcher = await database.openJobs();
  const counts: number[] = [];
  let isAdded = false;
  const adding = database.jobs
    .addSimulations(job_id, [...other, ...inGroup("g", ...names)])
    .finally(() => {
      isAdded = true;
    });
  while (!isAdded) {
    const after = { simulation_id: "sim-495", attempt: 1 };
    counts.push((await watcher.readEnvironments({ job_id, after })).environments.length);
  }
  await adding;
  expect(counts.filter((count) => count !== 0 && count !== names.length)).toEqual([]);
});

test("the store of sessions returns the same", async () => {
  const job_id = await jobOf(...inGroup("g", "a"));
  await reward((await claimAll(job_id))("a"));
  expect(await database.store.readFeed({ job_id })).toEqual(await feedOf(job_id));
  expect(await database.store.readFeed({ job_id: "no such job" })).toBeNull();
});
