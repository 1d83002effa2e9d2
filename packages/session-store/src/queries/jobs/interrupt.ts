import type { EnvironmentRow } from "../../store.ts";
import { parameter } from "../prepared-query.ts";
import { environmentColumns } from "../read-environment.ts";
import type { Transaction, TransactionSource } from "../transaction.ts";
import { nextAttemptAdder } from "./add-next-attempt.ts";
import { byAge } from "./order-of-claims.ts";

export interface StaleAttempts {
  readonly job_id: string;
  readonly stale_after_ms: number;
}

export function staleInterrupter(
  source: TransactionSource,
): (stale: StaleAttempts, now: string) => Transaction<EnvironmentRow[]> {
  const interrupt = source.prepare(
    interruption(source, "heartbeat_lost: its launcher was not heard of for too long")
      .where("job_id", "=", parameter<string>("job_id"))
      .where("heartbeat_at", "<", parameter<string>("heard_before")),
  );
  const addNext = nextAttemptsAdder(source);
  return function* ({ job_id, stale_after_ms }, now) {
    const heard_before = new Date(Math.max(Date.parse(now) - stale_after_ms, 0)).toISOString();
    const interrupted = (yield* interrupt({ job_id, heard_before, now })).toSorted(byAge);
    yield* addNext(interrupted, now);
    return interrupted;
  };
}

export interface OwnAttempts {
  readonly owner: string;
  readonly session_ids: readonly string[];
}

export function ownInterrupter(
  source: TransactionSource,
): (own: OwnAttempts, now: string) => Transaction<EnvironmentRow[]> {
  const interrupt = source.prepare(
    interruption(source, "launcher_stopped: its launcher gave it up")
      .where("session_id", "=", parameter<string>("session_id"))
      .where("owner", "=", parameter<string>("owner")),
  );
  const addNext = nextAttemptsAdder(source);
  return function* ({ owner, session_ids }, now) {
    const interrupted: EnvironmentRow[] = [];
    for (const session_id of session_ids) {
      interrupted.push(...(yield* interrupt({ owner, session_id, now })));
    }
    interrupted.sort(byAge);
    yield* addNext(interrupted, now);
    return interrupted;
  };
}

function interruption({ db }: TransactionSource, error: string) {
  return db
    .updateTable("job_environments")
    .set({ status: "interrupted", error, finished_at: parameter<string>("now") })
    .where("status", "=", "running")
    .returning(environmentColumns);
}

function nextAttemptsAdder(
  source: TransactionSource,
): (interrupted: readonly EnvironmentRow[], now: string) => Transaction<void> {
  const addNext = nextAttemptAdder(source);
  return function* (interrupted, now) {
    for (const { session_id } of interrupted) {
      // However many have failed: these did not.
      yield* addNext({ session_id, max_failed: Number.MAX_SAFE_INTEGER, now });
    }
  };
}
