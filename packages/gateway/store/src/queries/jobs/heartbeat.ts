import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreQueries, StoreSource } from "../../dialect.ts";
import { readTime } from "../read-time.ts";
import type { OwnAttempts } from "./interrupt.ts";

const beat = query(({ db }: StoreSource) =>
  db
    .updateTable("job_environments")
    .set({ heartbeat_at: parameter<string>("now") })
    .where("session_id", "=", parameter<string>("session_id"))
    .where("owner", "=", parameter<string>("owner"))
    .where("status", "<>", "interrupted")
    .returning("session_id"),
);

/** Returns the lost attempts; those that the owner ended itself are not among them. */
export function heartbeat(
  database: StoreQueries,
  { owner, session_ids }: OwnAttempts,
): Promise<string[]> {
  return database.transaction(async (runner) => {
    const now = await readTime(runner);
    const lost: string[] = [];
    for (const session_id of session_ids) {
      const { rows } = await runner.run(beat, { owner, session_id, now });
      if (rows.length === 0) lost.push(session_id);
    }
    return lost;
  });
}
