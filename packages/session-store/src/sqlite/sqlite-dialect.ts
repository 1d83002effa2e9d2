import { sql } from "kysely";
import type { StoreDialect } from "../dialect.ts";

export const sqliteDialect: StoreDialect = {
  // An alias of the rowid: one more than the largest there is.
  addIncreasingId: (table) => table.addColumn("id", "integer", (column) => column.primaryKey()),

  storePlainly: () => [],

  // One transaction at a time writes.
  skipLocked: (query) => query,

  metaNumber: (key) =>
    sql`case when json_valid(meta_json) then json_extract(meta_json, ${sql.lit(`$.${key}`)}) end`,
};
