import { type Compilable, type CreateTableBuilder, type Kysely, sql } from "@proj/database/kysely";
import { emptyRows, type StateTables } from "./schema.ts";

/** The statements that create the tables of a new file. */
export function createTables(db: Kysely<StateTables>): readonly Compilable[] {
  const { market, accounts, quotes, orders, positions, closed_positions, equity_points, candles } =
    emptyRows;
  const { transactions } = emptyRows;
  return [
    table(db, "market", market).addPrimaryKeyConstraint("market_key", ["id"]),
    table(db, "accounts", accounts).addPrimaryKeyConstraint("accounts_key", ["accountId"]),
    table(db, "quotes", quotes).addPrimaryKeyConstraint("quotes_key", ["symbol"]),
    table(db, "orders", orders).addPrimaryKeyConstraint("orders_key", ["orderId"]),
    table(db, "positions", positions).addPrimaryKeyConstraint("positions_key", ["tradeId"]),
    table(db, "closed_positions", closed_positions).addPrimaryKeyConstraint(
      "closed_positions_key",
      ["tradeId"],
    ),
    table(db, "equity_points", equity_points)
      .addPrimaryKeyConstraint("equity_points_key", ["accountId", "time"])
      .modifyEnd(sql`without rowid`),
    db.schema.createIndex("closed_positions_by_time").on("closed_positions").column("closeTime"),
    db.schema
      .createIndex("closed_positions_by_order")
      .on("closed_positions")
      .column("closeOrderId"),
    table(db, "transactions", transactions).addPrimaryKeyConstraint("transactions_key", ["id"]),
    db.schema.createIndex("transactions_by_order").on("transactions").column("orderId"),
    // Most have neither.
    db.schema
      .createIndex("transactions_by_request")
      .on("transactions")
      .column("requestId")
      .where(sql.ref("requestId"), "<>", sql.lit("")),
    db.schema
      .createIndex("transactions_by_tag")
      .on("transactions")
      .column("clientTag")
      .where(sql.ref("clientTag"), "<>", sql.lit("")),
    // Candles are read by key, in key order, so they are stored in that order.
    table(db, "candles", candles)
      .addPrimaryKeyConstraint("candles_key", ["symbol", "frame", "start"])
      .modifyEnd(sql`without rowid`),
  ];
}

function table<Row extends object>(
  db: Kysely<StateTables>,
  name: string,
  row: Row,
): CreateTableBuilder<string, keyof Row & string> {
  return Object.entries(row).reduce<CreateTableBuilder<string, string>>(
    (builder, [column, value]) =>
      builder.addColumn(column, typeof value === "string" ? "text" : "integer", (definition) =>
        value === null ? definition : definition.notNull(),
      ),
    db.schema.createTable(name),
  );
}
