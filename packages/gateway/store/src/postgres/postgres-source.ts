import { type Compilable, CompiledQuery, type RawBuilder, sql } from "@proj/database/kysely";
import { createPostgresBuilder } from "@proj/database/queries";
import type { StoreDialect, StoreSource } from "../dialect.ts";
import type { StoreTables } from "../schema.ts";
import { keptCounts } from "./kept-counts.ts";
import { unfoldedSteps, wholeSteps } from "./whole-steps.ts";

/** Parses a text as json on a server without `is json`; null if the text is not JSON. */
export const jsonFunction = "session_store_json";

const raw = (text: string): Compilable => ({ compile: () => CompiledQuery.raw(text) });

const dialect: Omit<StoreDialect, "metaNumber"> = {
  addIncreasingId: (table) =>
    table.addColumn("id", "bigint", (column) => column.primaryKey().generatedAlwaysAsIdentity()),

  // Compressing payloads, the default, costs five times the CPU.
  storePlainly: (db, table, columns) =>
    columns.map((column) => ({
      compile: () =>
        sql`alter table ${sql.table(table)} alter column ${sql.ref(column)} set storage external`.compile(
          db,
        ),
    })),

  skipLocked: (query) => query.forUpdate().skipLocked(),

  lockRows: (query) => query.forUpdate(),

  viewOfWholeSteps: (steps) => [raw(wholeSteps(steps))],
  viewOfUnfoldedSteps: () => raw(unfoldedSteps),
  keepJobCounts: () => keptCounts.map(raw),

  stringsOf: (json) => sql`(select json_array_elements_text(${json}::json))`,

  now: () => sql`to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,

  bytesOf: (column) => sql`${sql.ref(column)}`,
};

/** PostgreSQL refuses to look into JSON with \u0000 in any string. We only read numbers, so it can be replaced. */
const meta = sql.raw("replace(meta_json, '\\u0000', '\\ufffd')");

/** `{a,b}` for the member `b` of `a`. */
const pathOf = (key: string): RawBuilder<unknown> => sql.lit(`{${key.replaceAll(".", ",")}}`);

const metaNumber: StoreDialect["metaNumber"] = (key) =>
  sql`case when meta_json is json object and json_typeof(${meta}::json #> ${pathOf(key)}) = 'number'
    then (${meta}::json #>> ${pathOf(key)})::double precision end`;

const olderMetaNumber: StoreDialect["metaNumber"] = (key) =>
  sql`case when json_typeof(${sql.raw(jsonFunction)}(${meta}) #> ${pathOf(key)}) = 'number'
    then (${sql.raw(jsonFunction)}(${meta}) #>> ${pathOf(key)})::double precision end`;

const db = createPostgresBuilder<StoreTables>();

export const postgresSource: StoreSource = { db, dialect: { ...dialect, metaNumber } };

/** For servers before 16, which have no `is json`. */
export const olderPostgresSource: StoreSource = {
  db,
  dialect: { ...dialect, metaNumber: olderMetaNumber },
};
