import type { Compilable, Kysely } from "@proj/database/kysely";
import type { StoreTables } from "../schema.ts";
import { jobEnvironments } from "./0002-jobs.ts";

/** The name of the table of attempts while its rows move to the new one. */
const before: string = "job_environments_before";
const indexes = ["by_attempt", "by_status", "by_group"] as const;
const statuses = ["pending", "running", "finished", "failed", "infrastructure", "interrupted"];

/**
 * Attempts that the infrastructure failed have a status of their own. The table is made again, because SQLite cannot
 * change a check.
 *
 * `scores` has what evaluators, judges and people say about sessions. An author says each thing once for each
 * repetition, so the key makes writing a score again harmless.
 */
export function scores(db: Kysely<StoreTables>): Compilable[] {
  const moveOut = db.schema.alterTable("job_environments").renameTo(before);
  const dropIndexes = indexes.map((name) => db.schema.dropIndex(`job_environments_${name}`));
  const moveBack = db
    .insertInto("job_environments")
    .expression(db.selectFrom(before as "job_environments").selectAll());
  const drop = db.schema.dropTable(before);
  const table = db.schema
    .createTable("scores")
    .addColumn("session_id", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("author", "text", (column) => column.notNull())
    .addColumn("repetition", "integer", (column) => column.notNull())
    .addColumn("value", "double precision")
    .addColumn("label", "text")
    .addColumn("comment", "text")
    .addColumn("judged_in", "text")
    .addColumn("created_at", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("scores_pk", ["session_id", "name", "author", "repetition"]);
  return [moveOut, ...dropIndexes, ...jobEnvironments(db, statuses), moveBack, drop, table];
}
