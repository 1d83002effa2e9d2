import type { Compilable, Kysely } from "@proj/database/kysely";
import type { StoreDialect } from "../dialect.ts";
import type { StoreTables } from "../schema.ts";

/** The view as SQLite 3.31 can read it: what came before made older programs refuse the whole file. */
export function viewForOldSqlite(_db: Kysely<StoreTables>, dialect: StoreDialect): Compilable[] {
  return dialect.viewOfWholeSteps();
}
