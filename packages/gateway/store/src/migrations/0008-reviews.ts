import type { Compilable, Kysely } from "@proj/database/kysely";
import type { StoreTables } from "../schema.ts";

/** What people are asked about the rollouts of a job: the rubric as JSON, and how many score each of them. */
export function reviews(db: Kysely<StoreTables>): Compilable[] {
  const table = db.schema
    .createTable("job_reviews")
    .addColumn("job_id", "text", (column) => column.notNull().primaryKey())
    .addColumn("rubric", "text", (column) => column.notNull())
    .addColumn("reviewers", "integer", (column) => column.notNull())
    .addColumn("created_at", "text", (column) => column.notNull());
  return [table];
}
