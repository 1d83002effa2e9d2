import type { Compilable, Kysely } from "@proj/database/kysely";
import type { PointsTables } from "../schema.ts";

/**
 * Order within a second, retractions, cursors of indexers, the rules of a program over time, and snapshots of seasons.
 * Prices and domains become events as well, so that an id counts once whatever its type.
 */
export function history(db: Kysely<PointsTables>): Compilable[] {
  const sequence = (table: "events" | "prices" | "domains") =>
    db.schema
      .alterTable(table)
      .addColumn("sequence", "bigint", (column) => column.notNull().defaultTo(0));
  const awaited = db.schema
    .createTable("awaited_retractions")
    .addColumn("target", "text", (column) => column.notNull().primaryKey());
  const cursors = db.schema
    .createTable("cursors")
    .addColumn("name", "text", (column) => column.notNull().primaryKey())
    .addColumn("value", "text", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull());
  const programs = db.schema
    .createTable("programs")
    .addColumn("valid_from", "bigint", (column) => column.notNull().primaryKey())
    .addColumn("rules", "text", (column) => column.notNull());
  const bases = db.schema
    .createTable("bases")
    .addColumn("season", "text", (column) => column.notNull().primaryKey())
    .addColumn("snapshot", "bigint", (column) => column.notNull())
    .addColumn("time", "bigint", (column) => column.notNull())
    .addColumn("seq", "bigint", (column) => column.notNull())
    .addColumn("rules", "text", (column) => column.notNull());
  // A base only saves time: the next snapshot writes a new one.
  const dropped = ["base_snapshot", "base_time", "base_seq", "base_rules"].map((column) =>
    db.schema.alterTable("ledger").dropColumn(column),
  );
  return [
    sequence("events"),
    sequence("prices"),
    sequence("domains"),
    db.schema.alterTable("events").addColumn("retracted_seq", "bigint"),
    db.schema.createIndex("domains_by_name").on("domains").column("domain"),
    awaited,
    cursors,
    programs,
    bases,
    ...dropped,
    db.schema
      .alterTable("snapshots")
      .addColumn("seq", "bigint", (column) => column.notNull().defaultTo(0)),
    db.schema
      .alterTable("snapshots")
      .addColumn("season", "text", (column) => column.notNull().defaultTo("")),
    db.schema
      .alterTable("snapshots")
      .addColumn("rules", "text", (column) => column.notNull().defaultTo("")),
  ];
}
