import type { Compilable, Kysely } from "@proj/database/kysely";
import type { StoreDialect } from "../dialect.ts";
import type { StoreTables } from "../schema.ts";

/**
 * A row may hold of its `messages` only what the row `messages_base` lacks, behind the first
 * `messages_shared` bytes that both have; its `request` is null where it is that row's. The view has
 * the table's former name, and every column as if the rows were whole.
 */
export function historiesOnce(db: Kysely<StoreTables>, dialect: StoreDialect): Compilable[] {
  const rename = db.schema.alterTable("session_steps").renameTo("stored_steps");
  return [rename, ...dialect.viewOfWholeSteps()];
}
