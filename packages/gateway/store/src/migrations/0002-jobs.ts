import { type Compilable, type Kysely, sql } from "@proj/database/kysely";
import type { StoreTables } from "../schema.ts";

/**
 * Attempts, and the groups of a job in which every simulation has ended, numbered in that order: a reader that has seen
 * position n asks for what comes after n. A simulation without a group counts as a group. `job_feeds` is locked while a
 * position is taken, so that none becomes visible after a larger one.
 */
export function jobs(db: Kysely<StoreTables>): Compilable[] {
  const statuses = ["pending", "running", "finished", "failed", "interrupted"];
  const attempts = jobEnvironments(db, statuses);
  const feeds = db.schema
    .createTable("job_feeds")
    .addColumn("job_id", "text", (column) => column.notNull().primaryKey())
    .addColumn("last_position", "integer", (column) => column.notNull());
  const groups = db.schema
    .createTable("finished_groups")
    .addColumn("job_id", "text", (column) => column.notNull())
    .addColumn("position", "integer", (column) => column.notNull())
    .addColumn("group_id", "text")
    .addColumn("simulation_id", "text")
    .addColumn("finished_at", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("finished_groups_by_position", ["job_id", "position"]);
  const byGroup = db.schema
    .createIndex("finished_groups_by_group")
    .on("finished_groups")
    .columns(["job_id", "group_id"])
    .unique();
  const bySimulation = db.schema
    .createIndex("finished_groups_by_simulation")
    .on("finished_groups")
    .columns(["job_id", "simulation_id"])
    .unique();
  return [...attempts, feeds, groups, byGroup, bySimulation];
}

/** The table of attempts, which may have these statuses, and its indexes. */
export function jobEnvironments(
  db: Kysely<StoreTables>,
  statuses: readonly string[],
): Compilable[] {
  const table = db.schema
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
        .check(sql`status in (${sql.join(statuses.map((status) => sql.lit(status)))})`),
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
  // In the order in which attempts are claimed: the next of many is found without sorting.
  const byStatus = db.schema
    .createIndex("job_environments_by_status")
    .on("job_environments")
    .columns(["job_id", "status", "created_at", "session_id"]);
  const environmentsByGroup = db.schema
    .createIndex("job_environments_by_group")
    .on("job_environments")
    .columns(["job_id", "group_id"])
    .where("group_id", "is not", null);

  return [table, byAttempt, byStatus, environmentsByGroup];
}
