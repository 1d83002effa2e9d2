import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreQueries, StoreSource } from "../../dialect.ts";
import type { EnvironmentStatus } from "../../environment-row.ts";
import type { AttemptFailure } from "../../job-store.ts";
import { readTime } from "../read-time.ts";
import { addNextAttempt } from "./add-next-attempt.ts";
import { finishGroup } from "./finish-group.ts";

const end = query(({ db }: StoreSource) =>
  db
    .updateTable("job_environments")
    .set({
      status: parameter<EnvironmentStatus>("status"),
      error: parameter<string>("error"),
      result: parameter<string | null>("result"),
      finished_at: parameter<string>("now"),
    })
    .where("session_id", "=", parameter<string>("session_id"))
    .where("owner", "=", parameter<string>("owner"))
    .where("status", "=", "running")
    .returning(["job_id", "simulation_id", "group_id"]),
);
const findFailed = query(({ db }: StoreSource) =>
  db
    .selectFrom("job_environments")
    .select("session_id")
    .where("session_id", "=", parameter<string>("session_id"))
    .where("owner", "=", parameter<string>("owner"))
    .where("status", "in", ["failed", "infrastructure"]),
);

/** Returns false if the attempt no longer belongs to the owner. */
export function failAttempt(
  database: StoreQueries,
  { session_id, owner, error, result, max_attempts, status = "failed" }: AttemptFailure,
): Promise<boolean> {
  return database.transaction(async (runner) => {
    const now = await readTime(runner);
    const values = { session_id, owner, status, error, result, now };
    const [ended] = (await runner.run(end, values)).rows;
    if (ended === undefined) {
      // Repeating a call that lost its answer gives the same answer again.
      return (await runner.run(findFailed, { session_id, owner })).rows.length > 0;
    }
    const next = { session_id, counted: status, max_attempts, now };
    if (!(await addNextAttempt(runner, next))) await finishGroup(runner, { ...ended, now });
    return true;
  });
}
