import type { AttemptFailure } from "../../job-store.ts";
import { parameter } from "../prepared-query.ts";
import type { Transaction, TransactionSource } from "../transaction.ts";
import { nextAttemptAdder } from "./add-next-attempt.ts";

/** Answers false where the attempt is not the owner's any longer. */
export function attemptFailer(
  source: TransactionSource,
): (failure: AttemptFailure, now: string) => Transaction<boolean> {
  const { db, prepare } = source;
  const end = prepare(
    db
      .updateTable("job_environments")
      .set({
        status: "failed",
        error: parameter<string>("error"),
        result: parameter<string | null>("result"),
        finished_at: parameter<string>("now"),
      })
      .where("session_id", "=", parameter<string>("session_id"))
      .where("owner", "=", parameter<string>("owner"))
      .where("status", "=", "running")
      .returning("session_id"),
  );
  const findFailed = prepare(
    db
      .selectFrom("job_environments")
      .select("session_id")
      .where("session_id", "=", parameter<string>("session_id"))
      .where("owner", "=", parameter<string>("owner"))
      .where("status", "=", "failed"),
  );
  const addNextAttempt = nextAttemptAdder(source);
  return function* ({ session_id, owner, error, result, max_attempts }, now) {
    const ended = yield* end({ session_id, owner, error, result, now });
    // A call that is repeated, because its answer was lost, is answered as it was.
    if (ended.length === 0) return (yield* findFailed({ session_id, owner })).length > 0;
    yield* addNextAttempt({ session_id, max_failed: max_attempts, now });
    return true;
  };
}
