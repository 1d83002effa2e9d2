import { type Compilable, type Kysely, sql } from "@proj/database/kysely";
import type { StoreDialect } from "../dialect.ts";
import type { StoreTables } from "../schema.ts";

/**
 * Small columns come first and payloads last: a database that has to pass a payload to reach a column reads the
 * payload. JSON is text, because jsonb refuses characters that models do produce. An index costs a page for every
 * row, because rows of many sessions arrive mixed. So paging has no index: it sorts the ids that it finds in the
 * index by step. The latest success has none either: it is one of the last rows that this index leads to.
 */
export function firstTables(db: Kysely<StoreTables>, dialect: StoreDialect): Compilable[] {
  const sessionSteps = dialect
    .addIncreasingId(db.schema.createTable("session_steps"))
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
  const plainPayloads = dialect.storePlainly(db, "session_steps", [
    "request",
    "response",
    "messages",
  ]);
  const byStep = db.schema
    .createIndex("session_steps_by_step")
    .on("session_steps")
    .columns(["session_id", "model", "step_id"])
    .unique();

  const jobEnvironments = db.schema
    .createTable("job_environments")
    .addColumn("session_id", "text", (column) => column.notNull().primaryKey())
    .addColumn("job_id", "text", (column) => column.notNull())
    .addColumn("simulation_id", "text", (column) => column.notNull())
    .addColumn("attempt", "integer", (column) => column.notNull())
    .addColumn("env_name", "text")
    .addColumn("group_id", "text")
    .addColumn("status", "text", (column) =>
      column
        .notNull()
        .defaultTo("pending")
        .check(sql`status in ('pending', 'running', 'finished', 'failed', 'interrupted')`),
    )
    .addColumn("reward", "double precision")
    .addColumn("owner", "text")
    .addColumn("heartbeat_at", "text")
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("started_at", "text")
    .addColumn("finished_at", "text")
    .addColumn("env_params", "text")
    .addColumn("result", "text")
    .addColumn("error", "text");
  // Two launchers that both find an attempt abandoned must not both begin the next one.
  const byAttempt = db.schema
    .createIndex("job_environments_by_attempt")
    .on("job_environments")
    .columns(["job_id", "simulation_id", "attempt"])
    .unique();

  return [sessionSteps, ...plainPayloads, byStep, jobEnvironments, byAttempt];
}
