import type { Compilable, Kysely } from "@proj/database/kysely";
import type { StoreTables } from "../schema.ts";

/**
 * The states of routes, shared by all gateways of a storage: whether a route is paused, and which weights answer.
 * `gateway_reports` (PostgreSQL) records how far each gateway has obeyed; `seen_at` is in seconds since the epoch, by
 * the database's clock.
 */
export function routes(db: Kysely<StoreTables>): Compilable[] {
  const states = db.schema
    .createTable("route_states")
    .addColumn("model", "text", (column) => column.notNull().primaryKey())
    .addColumn("pause", "text")
    .addColumn("weight_version", "text")
    .addColumn("revision", "integer", (column) => column.notNull());
  const reports = db.schema
    .createTable("gateway_reports")
    .addColumn("gateway_id", "text", (column) => column.notNull().primaryKey())
    .addColumn("seen_at", "double precision", (column) => column.notNull())
    .addColumn("routes", "text", (column) => column.notNull());
  return [states, reports];
}
