import { parameter } from "../prepared-query.ts";
import type { Transaction, TransactionSource } from "../transaction.ts";
import { nextAttemptAdder } from "./add-next-attempt.ts";

export interface FailedSimulations {
  readonly job_id: string;
  readonly max_attempts: number;
  /** Those with a larger id, in the order of their ids. */
  readonly after: string;
  /** At most so many are looked at. */
  readonly limit: number;
}

export interface Retried {
  readonly added: number;
  /** `after` for the next ones; null: there are no more. */
  readonly next_after: string | null;
}

export function failureRetrier(
  source: TransactionSource,
): (failed: FailedSimulations, now: string) => Transaction<Retried> {
  const findFailed = source.prepare(
    source.db
      .selectFrom("job_environments as failed")
      .select(["failed.session_id", "failed.simulation_id"])
      .where("failed.job_id", "=", parameter<string>("job_id"))
      .where("failed.simulation_id", ">", parameter<string>("after"))
      .where("failed.status", "=", "failed")
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom("job_environments as later")
              .select("later.session_id")
              .whereRef("later.job_id", "=", "failed.job_id")
              .whereRef("later.simulation_id", "=", "failed.simulation_id")
              .whereRef("later.attempt", ">", "failed.attempt"),
          ),
        ),
      )
      .orderBy("failed.simulation_id")
      .limit(parameter<number>("limit")),
  );
  const addNextAttempt = nextAttemptAdder(source);
  return function* ({ job_id, max_attempts, after, limit }, now) {
    const failed = yield* findFailed({ job_id, after, limit });
    let added = 0;
    for (const { session_id } of failed) {
      if (yield* addNextAttempt({ session_id, max_failed: max_attempts, now })) added += 1;
    }
    const last = failed.length < limit ? undefined : failed.at(-1);
    return { added, next_after: last?.simulation_id ?? null };
  };
}
