import { CompiledQuery, sql } from "kysely";
import type { StoreDialect } from "../dialect.ts";
import { wholeSteps } from "./whole-steps.ts";

export const postgresDialect: StoreDialect = {
  addIncreasingId: (table) =>
    table.addColumn("id", "bigint", (column) => column.primaryKey().generatedAlwaysAsIdentity()),

  // Compressing them, which is the default, costs five times the CPU.
  storePlainly: (db, table, columns) =>
    columns.map((column) => ({
      compile: () =>
        sql`alter table ${sql.table(table)} alter column ${sql.ref(column)} set storage external`.compile(
          db,
        ),
    })),

  skipLocked: (query) => query.forUpdate().skipLocked(),

  viewOfWholeSteps: () => [{ compile: () => CompiledQuery.raw(wholeSteps) }],

  bytesOf: (column) => sql`${sql.ref(column)}`,

  // As json, whose members are looked at one by one: jsonb refuses the whole for a \u0000 anywhere in it.
  metaNumber: (key) =>
    sql`case when meta_json is json object and json_typeof(meta_json::json -> ${sql.lit(key)}) = 'number'
      then (meta_json::json ->> ${sql.lit(key)})::double precision end`,
};
