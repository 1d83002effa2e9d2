import type { Compilable, Kysely } from "@proj/database/kysely";
import type { StoreDialect } from "../dialect.ts";
import type { StoreTables } from "../schema.ts";

/**
 * Large strings of payloads, once for each scope: a job, or a session without one. `step_values` has where they belong
 * in a row: `bytes` of a value, after the bytes from `rest_start` to `rest_end` of what the row still stores. It is a
 * table of its own, because rows without large strings, which are most, then stay as they are.
 *
 * `unfolded_steps` shows each row with its large strings, and otherwise as stored.
 */
export function values(db: Kysely<StoreTables>, dialect: StoreDialect): Compilable[] {
  const storedValues = db.schema
    .createTable("stored_values")
    .addColumn("scope", "text", (column) => column.notNull())
    .addColumn("sha256", "text", (column) => column.notNull())
    .addColumn("content", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("stored_values_pk", ["scope", "sha256"]);
  const stepValues = db.schema
    .createTable("step_values")
    .addColumn("row_id", "bigint", (column) => column.notNull())
    .addColumn("payload", "text", (column) => column.notNull())
    .addColumn("position", "integer", (column) => column.notNull())
    .addColumn("rest_start", "integer", (column) => column.notNull())
    .addColumn("rest_end", "integer", (column) => column.notNull())
    .addColumn("bytes", "integer", (column) => column.notNull())
    .addColumn("scope", "text", (column) => column.notNull())
    .addColumn("sha256", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("step_values_pk", ["row_id", "payload", "position"]);
  const byValue = db.schema
    .createIndex("step_values_by_value")
    .on("step_values")
    .columns(["scope", "sha256"]);
  const byOrigin = db.schema
    .createIndex("session_forks_by_origin")
    .on("session_forks")
    .column("from_session_id");
  return [
    storedValues,
    ...dialect.storePlainly(db, "stored_values", ["content"]),
    stepValues,
    byValue,
    byOrigin,
    dialect.viewOfUnfoldedSteps(),
    ...dialect.viewOfWholeSteps("unfolded_steps"),
  ];
}
