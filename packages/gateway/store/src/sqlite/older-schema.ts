import type { Database } from "better-sqlite3";
import { countAttempts } from "../job-counts.ts";

/**
 * Lets queries read a database whose schema is older: views of this connection alone take the place of what is missing.
 * A reader must not update the schema.
 */
export function readOlderSchema(database: Database): void {
  const has = database.prepare<[string]>("select 1 from sqlite_master where name = ?");
  if (has.get("stored_steps") === undefined) return;
  database.pragma("query_only = off");
  // Without large values.
  if (has.get("unfolded_steps") === undefined)
    database.exec(`create temp view unfolded_steps as select * from stored_steps;
      create temp view step_values as select 0 as row_id, '' as payload, 0 as bytes where false`);
  if (has.get("job_counts") === undefined)
    database.exec(`create temp view job_counts as ${countAttempts()}`);
  database.pragma("query_only = on");
}
