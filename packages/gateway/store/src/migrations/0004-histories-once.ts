import type { Compilable, Kysely } from "@proj/database/kysely";
import type { StoreDialect } from "../dialect.ts";
import type { StoreTables } from "../schema.ts";

/**
 * A row may store only the part of its `messages` that the row `messages_base` lacks, after the first
 * `messages_shared` bytes, which both have; its `request` is null if it equals that row's. The view has the table's
 * former name and shows every row whole.
 */
export function historiesOnce(db: Kysely<StoreTables>, dialect: StoreDialect): Compilable[] {
  const rename = db.schema.alterTable("session_steps").renameTo("stored_steps");
  return [rename, ...dialect.viewOfWholeSteps()];
}
