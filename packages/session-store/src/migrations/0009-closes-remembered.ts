import type { Compilable, Kysely } from "@proj/database/kysely";
import type { StoreTables } from "../schema.ts";

/**
 * When a session was last closed, which stays when it is opened again: a key that was made before opens
 * nothing more.
 */
export function closesRemembered(db: Kysely<StoreTables>): Compilable[] {
  return [db.schema.alterTable("session_owners").addColumn("last_closed_at", "text")];
}
