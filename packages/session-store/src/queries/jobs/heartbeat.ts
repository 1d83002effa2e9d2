import { parameter } from "../prepared-query.ts";
import type { Transaction, TransactionSource } from "../transaction.ts";
import type { OwnAttempts } from "./interrupt.ts";

/** Answers those that were lost: what the owner has ended itself was not. */
export function heartbeatWriter({
  db,
  prepare,
}: TransactionSource): (own: OwnAttempts, now: string) => Transaction<string[]> {
  const beat = prepare(
    db
      .updateTable("job_environments")
      .set({ heartbeat_at: parameter<string>("now") })
      .where("session_id", "=", parameter<string>("session_id"))
      .where("owner", "=", parameter<string>("owner"))
      .where("status", "<>", "interrupted")
      .returning("session_id"),
  );
  return function* ({ owner, session_ids }, now) {
    const lost: string[] = [];
    for (const session_id of session_ids) {
      const own = yield* beat({ owner, session_id, now });
      if (own.length === 0) lost.push(session_id);
    }
    return lost;
  };
}
