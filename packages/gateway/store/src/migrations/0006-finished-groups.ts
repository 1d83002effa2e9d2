import { type Compilable, type Kysely, sql } from "@proj/database/kysely";
import type { StoreTables } from "../schema.ts";

/**
 * The groups of a job in which every simulation has ended, numbered in that order: a reader that has seen position n
 * asks for what comes after n. A simulation without a group counts as a group. `job_feeds` is locked while a position
 * is taken, so that none becomes visible after a larger one.
 */
export function finishedGroups(db: Kysely<StoreTables>): Compilable[] {
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
  const environmentsByGroup = db.schema
    .createIndex("job_environments_by_group")
    .on("job_environments")
    .columns(["job_id", "group_id"])
    .where("group_id", "is not", null);
  return [feeds, groups, byGroup, bySimulation, environmentsByGroup, ...ofEarlierJobs(db)];
}

/** Groups that ended before there was a feed, ordered by the time they ended. */
function ofEarlierJobs(db: Kysely<StoreTables>): Compilable[] {
  const single = sql<string | null>`case when group_id is null then simulation_id end`;
  const ended = db
    .selectFrom("job_environments")
    .select(["job_id", "group_id", single.as("simulation_id")])
    .select(({ fn }) => fn.max<string>("finished_at").as("finished_at"))
    .groupBy(["job_id", "group_id", single])
    .having(
      sql<number>`sum(case when status in ('pending', 'running') then 1 else 0 end)`,
      "=",
      sql.lit(0),
    );
  const position = sql<number>`row_number() over (partition by job_id order by finished_at, group_id, simulation_id)`;
  return [
    db
      .insertInto("finished_groups")
      .columns(["job_id", "position", "group_id", "simulation_id", "finished_at"])
      .expression((from) =>
        from
          .selectFrom(ended.as("ended"))
          .select(["job_id", position.as("position"), "group_id", "simulation_id", "finished_at"])
          .where("finished_at", "is not", null),
      ),
    db
      .insertInto("job_feeds")
      .columns(["job_id", "last_position"])
      .expression((from) =>
        from
          .selectFrom("finished_groups")
          .select(["job_id", ({ fn }) => fn.max("position").as("last_position")])
          .groupBy("job_id"),
      ),
  ];
}
