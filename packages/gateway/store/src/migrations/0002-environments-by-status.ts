import type { Compilable, Kysely } from "@proj/database/kysely";
import type { StoreTables } from "../schema.ts";

/** In the order in which attempts are claimed: the next of many is found without sorting. */
export function environmentsByStatus(db: Kysely<StoreTables>): Compilable[] {
  const byStatus = db.schema
    .createIndex("job_environments_by_status")
    .on("job_environments")
    .columns(["job_id", "status", "created_at", "session_id"]);
  return [byStatus];
}
