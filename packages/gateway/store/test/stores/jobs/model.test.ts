import fc from "fast-check";
import { expect, test } from "vitest";
import type { EnvironmentRow, EnvironmentStatus } from "../../../src/environment-row.ts";
import { isPostgres } from "../../temporary-database.ts";
import {
  attemptsOf,
  expectKept,
  makeStale,
  newJobId,
  rewardOf,
  sharedJobs,
  simulations,
  writeStep,
} from "../../temporary-jobs.ts";
import { JobModel, keyOf, type ModelAttempt } from "./job-model.ts";

const database = sharedJobs();

/** The parameters of an action, which uses those it needs. */
interface Situation {
  readonly job_id: string;
  readonly model: JobModel;
  readonly owner: string;
  readonly count: number;
  /** One of the job's attempts, if it has any. */
  readonly chosen: ModelAttempt | undefined;
  readonly session_id: string;
  /** How a failure ends it. */
  readonly status: "failed" | "infrastructure";
}

/** Each action is applied to the job and to its model. */
const actions = {
  async add({ job_id, model, count }) {
    const added = await database.jobs.addSimulations(job_id, simulations(count));
    expect(added).toBe(model.addSimulations(count));
  },
  async claim({ job_id, model, owner, count }) {
    const claimed = await database.jobs.claim({ job_id, owner, limit: count });
    expect(claimed.map(keyOf)).toEqual(model.claim(owner, count).map(keyOf));
  },
  async heartbeat({ owner, chosen, session_id }) {
    const isOwn = chosen?.owner === owner && chosen.status !== "interrupted";
    expect(await database.jobs.heartbeat(owner, [session_id])).toEqual(isOwn ? [] : [session_id]);
    if (chosen !== undefined && isOwn) chosen.isStale = false;
  },
  async growOld({ chosen, session_id }) {
    await makeStale(database, session_id);
    if (chosen !== undefined) chosen.isStale = true;
  },
  async interruptStale({ job_id, model }) {
    await database.jobs.interruptStale(job_id, 60_000);
    model.interrupt(({ isStale }) => isStale);
  },
  async interrupt({ model, owner, chosen, session_id }) {
    await database.jobs.interrupt(owner, [session_id]);
    model.interrupt((attempt) => attempt === chosen && attempt.owner === owner);
  },
  async fail({ model, owner, count, chosen, session_id, status: ending }) {
    const failure = { session_id, owner, error: "timed_out", result: null, max_attempts: count };
    const status = chosen?.owner === owner ? chosen.status : null;
    const isKnown = status === "running" || status === "failed" || status === "infrastructure";
    expect(await database.jobs.fail({ ...failure, status: ending })).toBe(isKnown);
    if (chosen !== undefined && status === "running") model.fail(chosen, ending, count);
  },
  async retryFailed({ job_id, model, count }) {
    const added = await database.jobs.retryFailed(job_id, count, 5 - count);
    expect(added).toBe(model.retryFailed(count, 5 - count));
  },
  async writeStep({ chosen, session_id }) {
    if (chosen === undefined || chosen.hasStep) return;
    await writeStep(database.store, session_id);
    chosen.hasStep = true;
  },
  async commit({ owner, chosen, session_id }) {
    const outcome = await database.jobs.commitReward(rewardOf(session_id, { owner }));
    if (chosen?.status === "finished") {
      expect(outcome).toBe("already_committed");
    } else if (chosen?.status !== "running" || chosen.owner !== owner) {
      expect(outcome).toBe("not_owner");
    } else {
      expect(outcome).toBe(chosen.hasStep ? "committed" : "no_step");
      if (chosen.hasStep) chosen.status = "finished";
    }
  },
  async replace({ count, chosen, session_id, model }) {
    const {
      owner: _owner,
      result: _result,
      ...given
    } = rewardOf(session_id, { reward: count / 3 });
    const outcome = await database.jobs.replaceReward(given);
    const isEnded = chosen && ["finished", "failed", "infrastructure"].includes(chosen.status);
    if (chosen === undefined || !isEnded) expect(outcome).toBe("not_ended");
    else if (model.isSuperseded(chosen)) expect(outcome).toBe("superseded");
    else {
      expect(outcome).toBe(chosen.hasStep ? "replaced" : "no_step");
      if (chosen.hasStep) chosen.status = "finished";
    }
  },
} satisfies Record<string, (situation: Situation) => Promise<void>>;

const stateOf = (row: ModelAttempt | EnvironmentRow): string =>
  `${keyOf(row)} ${row.status} ${row.owner ?? "nobody"}`;

function expectSound(attempts: readonly EnvironmentRow[]): void {
  for (const rows of Map.groupBy(attempts, ({ simulation_id }) => simulation_id).values()) {
    const count = (...statuses: EnvironmentStatus[]): number =>
      rows.filter(({ status }) => statuses.includes(status)).length;
    expect(rows.map(({ attempt }) => attempt)).toEqual(rows.map((_, index) => index + 1));
    expect(count("finished")).toBeLessThanOrEqual(1);
    expect(count("pending", "running")).toBeLessThanOrEqual(1);
    expect(rows.at(-1)?.status).not.toBe("interrupted");
  }
}

/** The summary counts each simulation once, by its newest attempt. */
async function expectCounted(job_id: string, attempts: readonly EnvironmentRow[]): Promise<void> {
  const newest = new Map(attempts.map((row) => [row.simulation_id, row.status]));
  const count = (status: EnvironmentStatus): number =>
    [...newest.values()].filter((found) => found === status).length;
  await expectKept(database, job_id);
  const { running, pending, finished, failed, infrastructure } =
    (await database.jobs.readJob(job_id)) ?? {};
  if (attempts.length === 0) return;
  expect({ running, pending, finished, failed, infrastructure }).toEqual({
    running: count("running"),
    pending: count("pending"),
    finished: count("finished"),
    failed: count("failed"),
    infrastructure: count("infrastructure"),
  });
}

const names = Object.keys(actions) as (keyof typeof actions)[];
const event = fc.record({
  action: fc.constantFrom(...names),
  owner: fc.constantFrom("me", "you"),
  count: fc.integer({ min: 1, max: 4 }),
  status: fc.constantFrom("failed" as const, "infrastructure" as const),
  choice: fc.nat({ max: 20 }),
});

test("whatever launchers do, each simulation has one attempt at a time and is finished at most once", async () => {
  const life = fc.asyncProperty(fc.array(event, { maxLength: 60, size: "max" }), async (events) => {
    const job_id = newJobId();
    const model = new JobModel();
    let stored: EnvironmentRow[] = [];
    for (const { action, owner, count, choice, status } of events) {
      const row = stored[choice % Math.max(stored.length, 1)];
      const chosen = model.attempts.find((attempt) => row && keyOf(attempt) === keyOf(row));
      const session_id = row?.session_id ?? "unknown";
      await actions[action]({ job_id, model, owner, count, chosen, session_id, status });
      stored = await attemptsOf(database.jobs, job_id);
      expect(stored.map(stateOf)).toEqual(model.attempts.map(stateOf).toSorted());
      expectSound(stored);
      await expectCounted(job_id, stored);
    }
  });
  // A server needs a round trip for what a file does immediately.
  await fc.assert(life, { numRuns: isPostgres ? 30 : 100 });
});
