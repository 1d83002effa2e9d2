import type { Compilable, Kysely } from "@proj/database/kysely";
import type { StoreDialect } from "../dialect.ts";
import type { StoreTables } from "../schema.ts";

/**
 * Small columns come first and payloads last: a database that has to pass a payload to reach a column reads the
 * payload. JSON is text, because jsonb refuses characters that models do produce. An index costs a page for every
 * row, because rows of many sessions arrive mixed. So paging has no index: it sorts the ids that it finds in the
 * index by step. The latest success has none either: it is one of the last rows that this index leads to.
 *
 * A row may store only the part of its `messages` that the row `messages_base` lacks, after the first
 * `messages_shared` bytes, which both have; its `request` is null if it equals that row's. The view `session_steps`
 * shows every row whole.
 */
export function steps(db: Kysely<StoreTables>, dialect: StoreDialect): Compilable[] {
  const storedSteps = dialect
    .addIncreasingId(db.schema.createTable("stored_steps"))
    .addColumn("request_id", "text", (column) => column.notNull().unique())
    .addColumn("session_id", "text", (column) => column.notNull())
    .addColumn("model", "text", (column) => column.notNull())
    .addColumn("step_id", "integer", (column) => column.notNull())
    .addColumn("status_code", "integer", (column) => column.notNull())
    .addColumn("env_name", "text")
    .addColumn("job_id", "text")
    .addColumn("group_id", "text")
    .addColumn("step_reward", "double precision")
    .addColumn("reward", "double precision")
    .addColumn("is_trainable", "boolean", (column) => column.notNull().defaultTo(false))
    .addColumn("is_terminal", "boolean", (column) => column.notNull().defaultTo(false))
    .addColumn("is_truncated", "boolean", (column) => column.notNull().defaultTo(false))
    .addColumn("is_session_completed", "boolean", (column) => column.notNull().defaultTo(false))
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("messages_base", "bigint")
    .addColumn("messages_shared", "integer")
    .addColumn("meta_json", "text", (column) => column.notNull())
    .addColumn("request", "text")
    .addColumn("response", "text")
    .addColumn("messages", "text");
  const plainPayloads = dialect.storePlainly(db, "stored_steps", [
    "request",
    "response",
    "messages",
  ]);
  const byStep = db.schema
    .createIndex("session_steps_by_step")
    .on("stored_steps")
    .columns(["session_id", "model", "step_id"])
    .unique();

  return [storedSteps, ...plainPayloads, byStep, ...dialect.viewOfWholeSteps("stored_steps")];
}
