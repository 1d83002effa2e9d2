import { DatabaseSync } from "node:sqlite";
import { type JobStore, monotonicMs, type SessionStore, type StepRow } from "@proj/session-store";
import { Client } from "pg";

export const SIMULATIONS_OF_JOB = 1000;
const GROUP = 10;
export const STEPS = 2;
const ROWS_OF_BATCH = 200;
/** Of sessions that are old enough to be pruned. */
const OLD = "2026-01-01T00:00:00.000Z";
const TEXT = Buffer.from(JSON.stringify([{ role: "user", content: "a question ".repeat(40) }]));
const ANSWER = Buffer.from(JSON.stringify({ content: "an answer ".repeat(40) }));
const REQUEST = Buffer.from('{"model":"policy","messages":null}');
const META = JSON.stringify({
  status_code: 200,
  outcome: "ok",
  endpoint: "chat_completions",
  prompt_tokens: 120,
  completion_tokens: 80,
});

export interface Stores {
  readonly store: SessionStore;
  readonly jobs: JobStore;
}

export const jobOf = (rollout: number): string =>
  `job-${String(Math.floor(rollout / SIMULATIONS_OF_JOB)).padStart(6, "0")}`;

/**
 * Adds rollouts of two steps, each with its attempt, through the same calls as a launcher and a gateway. The first `old` of them are old.
 * @returns rows written in a second
 */
export async function fillDatabase(
  { store, jobs }: Stores,
  from: number,
  to: number,
  old: number,
): Promise<number> {
  let writingMs = 0;
  for (let first = from; first < to; first += SIMULATIONS_OF_JOB) {
    const job_id = jobOf(first);
    const simulations = Array.from({ length: SIMULATIONS_OF_JOB }, (_, index) => ({
      simulation_id: `simulation-${index}`,
      ...{ env_name: "sizing", env_params: null },
      group_id: `group-${Math.floor(index / GROUP)}`,
    }));
    await jobs.addSimulations(job_id, simulations);
    const limit = SIMULATIONS_OF_JOB;
    const attempts = await jobs.claim({ job_id, owner: "bench", limit });
    const created_at = first < old ? OLD : new Date().toISOString();
    const rows = attempts.flatMap(({ session_id, group_id }) =>
      Array.from({ length: STEPS }, (_, index) => rowOf(session_id, job_id, group_id, index + 1)),
    );
    const began = performance.now();
    for (let row = 0; row < rows.length; row += ROWS_OF_BATCH) {
      const batch = rows.slice(row, row + ROWS_OF_BATCH).map((each) => ({ ...each, created_at }));
      await store.writeSteps(batch, { deadline: monotonicMs() + 60_000 });
    }
    writingMs += performance.now() - began;
  }
  return ((to - from) * STEPS) / (writingMs / 1000);
}

function rowOf(
  session_id: string,
  job_id: string,
  group_id: string | null,
  step_id: number,
): Omit<StepRow, "created_at"> {
  return {
    ...{ request_id: `${session_id}-${step_id}`, session_id, model: "policy", step_id },
    ...{ epoch: null, status_code: 200, env_name: "sizing", job_id, group_id, meta_json: META },
    ...{ request: REQUEST, response: ANSWER, messages: TEXT, history: null },
  };
}

/**
 * Also gives PostgreSQL the statistics that its autovacuum collects within a minute. Call it while nothing else of this
 * process has the database open.
 */
export async function endAttempts(db_url: string): Promise<void> {
  const sql = `update job_environments set status = 'finished', reward = 0.5,
    finished_at = '${new Date().toISOString()}' where status = 'running';
    insert into scores (session_id, name, author, repetition, value, created_at)
    select session_id, 'reward', 'evaluator', 1, reward, finished_at from job_environments`;
  if (db_url.startsWith("sqlite:")) {
    const database = new DatabaseSync(db_url.slice("sqlite://".length));
    database.exec(sql);
    database.close();
    return;
  }
  const client = new Client({ connectionString: db_url });
  await client.connect();
  await client.query(sql);
  await client.query("analyze");
  await client.end();
}
