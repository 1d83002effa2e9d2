import { type Compilable, type Kysely, sql } from "@proj/database/kysely";
import type { StoreTables } from "../schema.ts";

/** Sessions that begin from another session's record. A row is written before its session's first step. */
export function sessionForks(db: Kysely<StoreTables>): Compilable[] {
  const forks = db.schema
    .createTable("session_forks")
    .addColumn("session_id", "text", (column) => column.notNull().primaryKey())
    .addColumn("from_session_id", "text", (column) => column.notNull())
    .addColumn("model", "text")
    .addColumn("step", "integer")
    .addColumn("mode", "text", (column) => column.notNull().check(sql`mode in ('fork', 'replay')`));
  return [forks];
}
