import type { Claim } from "../../job-store.ts";
import type { EnvironmentRow } from "../../store.ts";
import { parameter } from "../prepared-query.ts";
import { environmentColumns } from "../read-environment.ts";
import type { Transaction, TransactionSource } from "../transaction.ts";
import { byAge } from "./order-of-claims.ts";

export function attemptClaimer({
  db,
  dialect,
  prepare,
}: TransactionSource): (claim: Claim, now: string) => Transaction<EnvironmentRow[]> {
  const oldest = db
    .selectFrom("job_environments")
    .select("session_id")
    .where("job_id", "=", parameter<string>("job_id"))
    .where("status", "=", "pending")
    .orderBy("created_at")
    .orderBy("session_id")
    .limit(parameter<number>("limit"));
  const take = prepare(
    db
      // Once, before any row is taken: a database might ask again for each row, and find others.
      .with(
        (name) => name("oldest").materialized(),
        () => dialect.skipLocked(oldest),
      )
      .updateTable("job_environments")
      .set({
        status: "running",
        owner: parameter<string>("owner"),
        heartbeat_at: parameter<string>("now"),
        started_at: parameter<string>("now"),
      })
      .where("session_id", "in", (from) => from.selectFrom("oldest").select("session_id"))
      // Once more, because another transaction may have taken it since where they overlap.
      .where("status", "=", "pending")
      .returning(environmentColumns),
  );
  return function* ({ job_id, owner, limit }, now) {
    return (yield* take({ job_id, owner, limit, now })).toSorted(byAge);
  };
}
