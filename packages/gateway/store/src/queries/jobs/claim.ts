import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreQueries, StoreSource } from "../../dialect.ts";
import type { EnvironmentRow } from "../../environment-row.ts";
import type { Claim } from "../../job-store.ts";
import { environmentColumns } from "../read-environment.ts";
import { readTime } from "../read-time.ts";
import { byAge } from "./order-of-claims.ts";

const take = query(({ db, dialect }: StoreSource) => {
  const oldest = db
    .selectFrom("job_environments")
    .select("session_id")
    .where("job_id", "=", parameter<string>("job_id"))
    .where("status", "=", "pending")
    .orderBy("created_at")
    .orderBy("session_id")
    .limit(parameter<number>("limit"));
  return (
    db
      // Materialized, before any row is taken: a database might run it again for each row and find others.
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
      // Checked again, because a concurrent transaction may have taken the row since.
      .where("status", "=", "pending")
      .returning(environmentColumns)
  );
});

export function claim(
  database: StoreQueries,
  { job_id, owner, limit }: Claim,
): Promise<EnvironmentRow[]> {
  return database.transaction(async (runner) => {
    const now = await readTime(runner);
    const { rows } = await runner.run(take, { job_id, owner, limit, now });
    return rows.toSorted(byAge);
  });
}
