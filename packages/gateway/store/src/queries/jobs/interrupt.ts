import { monotonicMs, query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreQueries, StoreRunner, StoreSource } from "../../dialect.ts";
import type { EnvironmentRow } from "../../environment-row.ts";
import { environmentColumns } from "../read-environment.ts";
import { readTime } from "../read-time.ts";
import { addNextAttempt } from "./add-next-attempt.ts";
import { byAge } from "./order-of-claims.ts";

export interface StaleAttempts {
  readonly job_id: string;
  readonly stale_after_ms: number;
  /**
   * By `monotonicMs`. A process that was held up since then could not send heartbeats, so that time does not count as
   * silence.
   */
  readonly asked_at: number;
}

export interface OwnAttempts {
  readonly owner: string;
  readonly session_ids: readonly string[];
}

const interruptStaleOnes = query((source: StoreSource) =>
  interruption(source, "heartbeat_lost: its launcher was silent for too long")
    .where("job_id", "=", parameter<string>("job_id"))
    .where("heartbeat_at", "<", parameter<string>("heard_before")),
);
const interruptOwn = query((source: StoreSource) =>
  interruption(source, "launcher_stopped: its launcher gave it up")
    .where("session_id", "=", parameter<string>("session_id"))
    .where("owner", "=", parameter<string>("owner")),
);

export function interruptStale(
  database: StoreQueries,
  { job_id, stale_after_ms, asked_at }: StaleAttempts,
): Promise<EnvironmentRow[]> {
  return database.transaction(async (runner) => {
    const now = await readTime(runner);
    const silence_ms = stale_after_ms + monotonicMs() - asked_at;
    const heard_before = new Date(Math.max(Date.parse(now) - silence_ms, 0)).toISOString();
    const { rows } = await runner.run(interruptStaleOnes, { job_id, heard_before, now });
    return addNextAttempts(runner, rows, now);
  });
}

export function interrupt(
  database: StoreQueries,
  { owner, session_ids }: OwnAttempts,
): Promise<EnvironmentRow[]> {
  return database.transaction(async (runner) => {
    const now = await readTime(runner);
    const interrupted: EnvironmentRow[] = [];
    for (const session_id of session_ids) {
      const { rows } = await runner.run(interruptOwn, { owner, session_id, now });
      interrupted.push(...rows);
    }
    return addNextAttempts(runner, interrupted, now);
  });
}

function interruption({ db }: StoreSource, error: string) {
  return db
    .updateTable("job_environments")
    .set({ status: "interrupted", error, finished_at: parameter<string>("now") })
    .where("status", "=", "running")
    .returning(environmentColumns);
}

/** Returns the interrupted attempts, oldest first. */
async function addNextAttempts(
  runner: StoreRunner,
  interrupted: readonly EnvironmentRow[],
  now: string,
): Promise<EnvironmentRow[]> {
  const oldestFirst = interrupted.toSorted(byAge);
  for (const { session_id } of oldestFirst) {
    // However many attempts have failed: these did not.
    const unlimited = { counted: "failed", max_attempts: Number.MAX_SAFE_INTEGER } as const;
    await addNextAttempt(runner, { session_id, ...unlimited, now });
  }
  return oldestFirst;
}
