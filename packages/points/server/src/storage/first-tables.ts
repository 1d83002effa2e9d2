import { type Compilable, type CreateTableBuilder, type Kysely, sql } from "@proj/database/kysely";
import type { PointsTables } from "./schema.ts";
import type { PointsDialect } from "./source.ts";

/**
 * Amounts are text, because the two databases share no type for integers of any size. What is read in pages
 * (rankings, standings, bases) is stored in blocks of many lines: with one row per line, a snapshot would take ten
 * times as long to write, and a page of a hundred lines would be a hundred lookups.
 */
export function firstTables(db: Kysely<PointsTables>, dialect: PointsDialect): Compilable[] {
  const ledger = db.schema
    .createTable("ledger")
    .addColumn("last_seq", "bigint", (column) => column.notNull())
    .addColumn("settled_until", "bigint", (column) => column.notNull())
    .addColumn("late_seq", "bigint", (column) => column.notNull());
  const ledgerRow = db.insertInto("ledger").values({ last_seq: 0, settled_until: -1, late_seq: 0 });
  const streams = db.schema
    .createTable("streams")
    .addColumn("id", "integer", (column) => column.notNull().primaryKey())
    .addColumn("key", "text", (column) => column.notNull().unique());
  const events = dialect.keepInKeyOrder(
    db.schema
      .createTable("events")
      .addColumn("stream", "integer", (column) => column.notNull())
      .addColumn("time", "bigint", (column) => column.notNull())
      .addColumn("sequence", "bigint", (column) => column.notNull().defaultTo(0))
      .addColumn("seq", "bigint", (column) => column.notNull())
      .addColumn("id", "text", (column) => column.notNull().unique())
      .addColumn("kind", "integer", (column) => column.notNull())
      .addColumn("address", "text", (column) => column.notNull())
      .addColumn("position", "text")
      .addColumn("amount", "text", (column) => column.notNull())
      .addColumn("retracted_seq", "bigint")
      .addPrimaryKeyConstraint("events_key", ["stream", "time", "seq"]),
  );
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

  const prices = db.schema
    .createTable("prices")
    .addColumn("token", "text", (column) => column.notNull().primaryKey())
    .addColumn("price", "text", (column) => column.notNull())
    .addColumn("price_decimals", "integer", (column) => column.notNull())
    .addColumn("time", "bigint", (column) => column.notNull())
    .addColumn("sequence", "bigint", (column) => column.notNull().defaultTo(0))
    .addColumn("event_id", "text", (column) => column.notNull());
  const domains = db.schema
    .createTable("domains")
    .addColumn("address", "text", (column) => column.notNull().primaryKey())
    .addColumn("domain", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("time", "bigint", (column) => column.notNull())
    .addColumn("sequence", "bigint", (column) => column.notNull().defaultTo(0))
    .addColumn("event_id", "text", (column) => column.notNull());
  const domainsByName = db.schema.createIndex("domains_by_name").on("domains").column("name");
  const contentEntries = db.schema
    .createTable("content_entries")
    .addColumn("address", "text", (column) => column.notNull())
    .addColumn("start_timestamp", "bigint", (column) => column.notNull())
    .addColumn("end_timestamp", "bigint", (column) => column.notNull())
    .addColumn("points", "bigint", (column) => column.notNull());
  const contentByAddress = db.schema
    .createIndex("content_entries_by_address")
    .on("content_entries")
    .columns(["address", "start_timestamp"]);

  const snapshots = db.schema
    .createTable("snapshots")
    .addColumn("id", "bigint", (column) => column.notNull().primaryKey())
    .addColumn("salt", "text", (column) => column.notNull())
    .addColumn("time", "bigint", (column) => column.notNull())
    .addColumn("state", "text", (column) =>
      column.notNull().check(sql`state in ('building', 'published', 'withdrawn')`),
    )
    .addColumn("total_items", "integer", (column) => column.notNull())
    .addColumn("lp_items", "integer", (column) => column.notNull())
    .addColumn("swaps_items", "integer", (column) => column.notNull())
    .addColumn("seq", "bigint", (column) => column.notNull())
    .addColumn("season", "text", (column) => column.notNull())
    .addColumn("rules", "text", (column) => column.notNull())
    .addColumn("standing_blocks", "integer", (column) => column.notNull());
  const bases = db.schema
    .createTable("bases")
    .addColumn("season", "text", (column) => column.notNull().primaryKey())
    .addColumn("snapshot", "bigint", (column) => column.notNull())
    .addColumn("time", "bigint", (column) => column.notNull())
    .addColumn("seq", "bigint", (column) => column.notNull())
    .addColumn("rules", "text", (column) => column.notNull());
  return [
    ...[ledger, ledgerRow, streams, events, awaited, cursors, programs],
    ...[prices, domains, domainsByName, contentEntries, contentByAddress],
    ...[snapshots, bases],
    blocks(db, "ranking_blocks", ["snapshot", "ranking", "block"]),
    blocks(db, "standing_blocks", ["snapshot", "block"]),
    blocks(db, "base_blocks", ["snapshot", "part", "block"]),
  ];
}

/** The first column of the key is the snapshot's id. */
function blocks<Column extends string>(
  db: Kysely<PointsTables>,
  name: string,
  key: readonly [Column, ...Column[]],
): CreateTableBuilder<string, Column | "entries"> {
  const [first, ...others] = key;
  let table: CreateTableBuilder<string, Column> = db.schema
    .createTable(name)
    .addColumn(first, "bigint", (column) => column.notNull());
  for (const other of others) table = table.addColumn(other, "integer", (c) => c.notNull());
  return table
    .addColumn("entries", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint(`${name}_key`, [...key]);
}
