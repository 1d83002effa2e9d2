import type { Compilable, Kysely } from "@proj/database/kysely";
import type { StoreTables } from "../schema.ts";

/**
 * Which gateway a session belongs to when several share a database: a gateway's writes count only while its epoch is
 * the session's. A row is never deleted, so that no epoch is used twice.
 */
export function sessionOwners(db: Kysely<StoreTables>): Compilable[] {
  const owners = db.schema
    .createTable("session_owners")
    .addColumn("session_id", "text", (column) => column.notNull().primaryKey())
    .addColumn("gateway_id", "text", (column) => column.notNull())
    .addColumn("epoch", "bigint", (column) => column.notNull())
    .addColumn("closed_at", "text");
  return [owners];
}
