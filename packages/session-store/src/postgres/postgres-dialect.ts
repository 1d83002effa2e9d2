import { sql } from "kysely";
import type { StoreDialect } from "../dialect.ts";

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

  // As json, whose members are looked at one by one: jsonb refuses the whole for a \u0000 anywhere in it.
  metaNumber: (key) =>
    sql`case when meta_json is json object and json_typeof(meta_json::json -> ${sql.lit(key)}) = 'number'
      then (meta_json::json ->> ${sql.lit(key)})::double precision end`,
};
