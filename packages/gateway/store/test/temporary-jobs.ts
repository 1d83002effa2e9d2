import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import type { EnvironmentRow } from "../src/environment-row.ts";
import { countAttempts, countNames } from "../src/job-counts.ts";
import type { JobStore, NewSimulation, RewardCommit } from "../src/job-store.ts";
import { openJobStore } from "../src/open-job-store.ts";
import { openSqliteJobStore } from "../src/sqlite/open-sqlite-job-store.ts";
import type { SqliteStoreOptions } from "../src/sqlite/open-sqlite-store.ts";
import type { SessionStore, StepRow } from "../src/store.ts";
import { sharedDatabase, soon } from "./temporary-database.ts";

interface JobDatabase {
  readonly store: SessionStore;
  readonly jobs: JobStore;
  readonly execute: ReturnType<typeof sharedDatabase>["execute"];
  readonly query: ReturnType<typeof sharedDatabase>["query"];
  /** Opens another launcher's store; it is closed when the test has finished, if not before. */
  openJobs(): Promise<JobStore>;
}

/** One database for all tests of a file. Each test has its own job. */
export function sharedJobs(): JobDatabase {
  const database = sharedDatabase();
  const open = (): Promise<JobStore> => {
    const { storage_type, db_url } = database;
    return openJobStore({ storage_type, storage_config: { db_url } });
  };
  let jobs: JobStore | undefined;
  beforeAll(async () => {
    jobs = await open();
  });
  afterAll(() => jobs?.close());
  return {
    execute: database.execute,
    query: database.query,
    async openJobs() {
      const other = await open();
      onTestFinished(() => other.close());
      return other;
    },
    get store() {
      return database.store;
    },
    get jobs() {
      if (jobs === undefined) throw new Error("The shared database is open only during tests.");
      return jobs;
    },
  };
}

/** Opens a store; it is closed when the test has finished, if not before. */
export async function openJobsOf(
  file: string,
  options: Partial<SqliteStoreOptions> = {},
): Promise<JobStore> {
  const jobs = await openSqliteJobStore({ db_url: `sqlite://${file}`, ...options });
  onTestFinished(() => jobs.close());
  return jobs;
}

let jobCount = 0;

export function newJobId(): string {
  jobCount += 1;
  return `job-${jobCount}`;
}

/** `sim-001` and so on, in the order of their names. */
export function simulations(count: number, changes: Partial<NewSimulation> = {}): NewSimulation[] {
  return Array.from({ length: count }, (_, index) => ({
    simulation_id: `sim-${String(index + 1).padStart(3, "0")}`,
    env_name: null,
    env_params: null,
    group_id: null,
    ...changes,
  }));
}

export const idsOf = (rows: readonly EnvironmentRow[]): string[] =>
  rows.map(({ simulation_id }) => simulation_id);

/** A job of one simulation, claimed by `me`. */
export async function claimedAttempt(jobs: JobStore): Promise<EnvironmentRow> {
  const job_id = newJobId();
  await jobs.addSimulations(job_id, simulations(1));
  const [claimed] = await jobs.claim({ job_id, owner: "me", limit: 1 });
  if (claimed === undefined) throw new Error("There is one to be claimed.");
  return claimed;
}

/** Every attempt of a job, read page by page. */
export async function attemptsOf(jobs: JobStore, job_id: string): Promise<EnvironmentRow[]> {
  const attempts: EnvironmentRow[] = [];
  for (let page = await jobs.readEnvironments({ job_id }); ; ) {
    attempts.push(...page.environments);
    if (page.next_after === null) return attempts;
    page = await jobs.readEnvironments({ job_id, after: page.next_after });
  }
}

/** What is kept of a job's attempts equals what counting them gives. */
export async function expectKept(
  { query }: Pick<JobDatabase, "query">,
  job_id: string,
): Promise<void> {
  const counted = await query<Counts>(countAttempts("job_id = ?"), job_id);
  const kept = await query<Counts>("select * from job_counts where job_id = ?", job_id);
  // PostgreSQL sums integers as text.
  const numbers = (rows: readonly Counts[]) =>
    rows.map((row) => countNames.map((name) => [name, expect.closeTo(Number(row[name]), 12)]));
  expect(kept.map((row) => countNames.map((name) => [name, row[name]]))).toEqual(numbers(counted));
  const times = (rows: readonly Counts[]) =>
    rows.map(({ created_at, finished_at }) => ({ created_at, finished_at }));
  expect(times(kept)).toEqual(times(counted));
}

type Counts = Readonly<Record<string, unknown>>;

/** Makes it look as if the launcher had fallen silent long ago. */
export function makeStale({ execute }: JobDatabase, session_id: string): Promise<void> {
  return execute(
    "update job_environments set heartbeat_at = ? where session_id = ?",
    "2001-02-03T04:05:06.789Z",
    session_id,
  );
}

/** A step that was answered, with status 200. */
export function stepOf(session_id: string, step_id = 1, changes: Partial<StepRow> = {}): StepRow {
  return {
    request_id: `${session_id}-${step_id}`,
    session_id,
    model: "policy",
    step_id,
    epoch: null,
    status_code: 200,
    env_name: null,
    job_id: null,
    group_id: null,
    created_at: "2026-01-02T03:04:05.678Z",
    meta_json: '{"status_code":200}',
    request: null,
    response: null,
    messages: null,
    history: null,
    ...changes,
  };
}

export async function writeStep(
  store: SessionStore,
  ...step: Parameters<typeof stepOf>
): Promise<void> {
  await store.writeSteps([stepOf(...step)], soon());
}

type StepReward = RewardCommit & { readonly step_id: number };

export function rewardOf(session_id: string, changes: Partial<StepReward> = {}): StepReward {
  return {
    session_id,
    owner: "me",
    model: "policy",
    step_id: 1,
    reward: 0.5,
    is_truncated: false,
    evaluation: '{"score":0.5}',
    result: '{"status":"completed"}',
    ...changes,
  };
}
