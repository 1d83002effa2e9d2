import { type Compilable, CompiledQuery, sql } from "@proj/database/kysely";
import { createSqliteBuilder } from "@proj/database/queries";
import type { StoreDialect, StoreSource } from "../dialect.ts";
import { keptCounts } from "./kept-counts.ts";
import { unfoldedSteps, wholeSteps } from "./whole-steps.ts";

const raw = (text: string): Compilable => ({ compile: () => CompiledQuery.raw(text) });

const dialect: StoreDialect = {
  // An alias of the rowid: SQLite uses the largest plus one.
  addIncreasingId: (table) => table.addColumn("id", "integer", (column) => column.primaryKey()),

  storePlainly: () => [],

  // Only one transaction writes at a time.
  skipLocked: (query) => query,

  lockRows: (query) => query,

  viewOfWholeSteps: (steps) => wholeSteps(steps).map(raw),
  viewOfUnfoldedSteps: () => raw(unfoldedSteps),
  keepJobCounts: () => keptCounts.map(raw),

  stringsOf: (json) => sql`(select value from json_each(${json}))`,

  now: () => sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`,

  bytesOf: (column) => sql`cast(${sql.ref(column)} as blob)`,

  metaNumber: (key) =>
    sql`case when json_valid(meta_json) then json_extract(meta_json, ${sql.lit(`$.${key}`)}) end`,
};

export const sqliteSource: StoreSource = { db: createSqliteBuilder(), dialect };
