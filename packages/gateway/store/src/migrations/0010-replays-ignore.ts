import type { Compilable, Kysely } from "@proj/database/kysely";
import type { StoreTables } from "../schema.ts";

/** The members that a replay ignores when it compares requests: agents put random ids into some. */
export function replaysIgnore(db: Kysely<StoreTables>): Compilable[] {
  return [db.schema.alterTable("session_forks").addColumn("ignored", "text")];
}
