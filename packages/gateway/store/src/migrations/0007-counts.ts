import { type Compilable, type Kysely, sql } from "@proj/database/kysely";
import type { StoreDialect } from "../dialect.ts";
import { countAttempts, countNames } from "../job-counts.ts";
import type { StoreTables } from "../schema.ts";

/**
 * What a job has of attempts, so that a list of jobs does not count them. Triggers keep it: launchers of an earlier
 * version may still run, and know nothing of it. A migration that makes the table of attempts again needs them again.
 */
export function counts(db: Kysely<StoreTables>, dialect: StoreDialect): Compilable[] {
  const jobId = db.schema
    .createTable("job_counts")
    .addColumn("job_id", "text", (column) => column.notNull().primaryKey())
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("finished_at", "text");
  const table = countNames.reduce(
    (made, name) =>
      made.addColumn(name, name === "reward_sum" ? "double precision" : "integer", (column) =>
        column.notNull().defaultTo(0),
      ),
    jobId,
  );
  const columns = sql.raw(["job_id", "created_at", "finished_at", ...countNames].join(", "));
  const fill = sql`insert into job_counts (${columns}) ${sql.raw(countAttempts())}`;
  // Once there are triggers, PostgreSQL keeps every other writer out until the end of the migration.
  return [table, ...dialect.keepJobCounts(), { compile: () => fill.compile(db) }];
}
