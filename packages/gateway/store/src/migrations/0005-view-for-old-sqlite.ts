import type { Compilable, Kysely } from "@proj/database/kysely";
import type { StoreDialect } from "../dialect.ts";
import type { StoreTables } from "../schema.ts";

/** A view that SQLite 3.31 can read: with the previous one, older programs refused the whole file. */
export function viewForOldSqlite(_db: Kysely<StoreTables>, dialect: StoreDialect): Compilable[] {
  return dialect.viewOfWholeSteps();
}
