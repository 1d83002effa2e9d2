import type { Compilable, Kysely } from "@proj/database/kysely";
import type { StoreTables } from "../schema.ts";

/**
 * When a session was last closed. The time stays when the session is opened again: keys that were made before it no
 * longer open anything.
 */
export function closesRemembered(db: Kysely<StoreTables>): Compilable[] {
  return [db.schema.alterTable("session_owners").addColumn("last_closed_at", "text")];
}
