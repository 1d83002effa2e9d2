import type { Database } from "better-sqlite3";

/**
 * Lets queries read a database whose schema is older than large values, which has none: views of this connection alone
 * take the place of what is missing. A reader must not update the schema.
 */
export function readOlderSchema(database: Database): void {
  const has = database.prepare<[string]>("select 1 from sqlite_master where name = ?");
  if (has.get("stored_steps") === undefined || has.get("unfolded_steps") !== undefined) return;
  database.pragma("query_only = off");
  database.exec(`create temp view unfolded_steps as select * from stored_steps;
    create temp view step_values as select 0 as row_id, '' as payload, 0 as bytes where false`);
  database.pragma("query_only = on");
}
