import { type Compilable, type Kysely, type RawBuilder, sql } from "@proj/database/kysely";
import type { TimeFrame } from "@proj/trading-client/wire";
import type { Database, Statement } from "better-sqlite3";
import type { EquityPoint } from "../engine/book.ts";
import type { ClosedPosition } from "../engine/position.ts";
import type { Transaction } from "../engine/transactions.ts";
import {
  type AccountRow,
  type CandleTableRow,
  emptyRows,
  type MarketRow,
  type OrderRow,
  type PositionRow,
  type QuoteRow,
  type StateTables,
} from "./schema.ts";
import { type SymbolTotals, symbolTotals, type TradeTotals, tradeTotals } from "./trade-totals.ts";

/** All prepared statements on the tables. */
export interface Statements {
  readonly putMarket: Put<MarketRow>;
  readonly putAccount: Put<AccountRow>;
  readonly putQuote: Put<QuoteRow>;
  readonly putOrder: Put<OrderRow>;
  readonly deleteOrder: Statement<[orderId: number]>;
  readonly putPosition: Put<PositionRow>;
  readonly deletePosition: Statement<[tradeId: number]>;
  readonly putClosedPosition: Put<ClosedPosition>;
  readonly putEquityPoint: Put<EquityPoint>;
  readonly readClosedOf: Statement<[accountId: string, most: number], ClosedPosition>;
  readonly readEquityOf: Statement<[accountId: string, most: number], EquityPoint>;
  readonly readTotalsOf: Statement<[accountId: string], TradeTotals>;
  readonly readSymbolsOf: Statement<[accountId: string], SymbolTotals>;
  /** In order of opening. */
  readonly readSpansOf: Statement<
    [accountId: string],
    Pick<ClosedPosition, "openTime" | "closeTime">
  >;
  /** All points of an account's curve, oldest first. */
  readonly readEquitiesOf: Statement<[accountId: string], Pick<EquityPoint, "time" | "equity">>;
  readonly countPointsOf: Statement<[accountId: string], { readonly points: number }>;
  readonly putTransaction: Put<Transaction>;
  readonly putCandle: Put<CandleTableRow>;
  readonly deleteCandles: Statement<[symbol: string, frame: TimeFrame, before: number]>;
  readonly readMarket: Statement<[], MarketRow>;
  readonly readAccounts: Statement<[], AccountRow>;
  readonly readQuotes: Statement<[], QuoteRow>;
  readonly readOrders: Statement<[], OrderRow>;
  readonly readPositions: Statement<[], PositionRow>;
  readonly readClosedPositions: Statement<[since: number], ClosedPosition>;
  readonly readCandles: Statement<
    [symbol: string, frame: TimeFrame, from: number, before: number, most: number],
    CandleTableRow
  >;
}

/** Inserts a row or replaces the one with the same key. */
export type Put<Row> = (row: Row) => void;

export function prepareStatements(database: Database, db: Kysely<StateTables>): Statements {
  const prepare = <Values extends unknown[], Row = unknown>(query: Compilable) =>
    database.prepare<Values, Row>(query.compile().sql);
  const put = <Row extends object>(query: Compilable, example: Row): Put<Row> => {
    const statement = prepare(query);
    const columns: (keyof Row)[] = [];
    for (const column in example) columns.push(column);
    return (row) => {
      statement.run(...columns.map((column) => row[column]));
    };
  };
  const { market, accounts, quotes, orders, positions, closed_positions, equity_points, candles } =
    emptyRows;
  const { transactions } = emptyRows;
  // The values in these queries are only placeholders for parameters.
  return {
    putMarket: put(db.replaceInto("market").values(market), market),
    putAccount: put(
      db.insertInto("accounts").values(accounts).modifyEnd(orUpdate(accounts, "accountId")),
      accounts,
    ),
    putQuote: put(
      db.insertInto("quotes").values(quotes).modifyEnd(orUpdate(quotes, "symbol")),
      quotes,
    ),
    putOrder: put(db.replaceInto("orders").values(orders), orders),
    deleteOrder: prepare(db.deleteFrom("orders").where("orderId", "=", 0)),
    putPosition: put(db.replaceInto("positions").values(positions), positions),
    deletePosition: prepare(db.deleteFrom("positions").where("tradeId", "=", 0)),
    putClosedPosition: put(
      db.replaceInto("closed_positions").values(closed_positions),
      closed_positions,
    ),
    putEquityPoint: put(db.replaceInto("equity_points").values(equity_points), equity_points),
    // Newest first; the caller reverses them.
    readClosedOf: prepare(
      db
        .selectFrom("closed_positions")
        .selectAll()
        .where("accountId", "=", "")
        .orderBy("closeTime", "desc")
        .orderBy("tradeId", "desc")
        .limit(1),
    ),
    readEquityOf: prepare(
      db
        .selectFrom("equity_points")
        .selectAll()
        .where("accountId", "=", "")
        .orderBy("time", "desc")
        .limit(1),
    ),
    readTotalsOf: prepare(tradeTotals(db)),
    readEquitiesOf: prepare(
      db
        .selectFrom("equity_points")
        .select(["time", "equity"])
        .where("accountId", "=", "")
        .orderBy("time"),
    ),
    readSymbolsOf: prepare(symbolTotals(db)),
    readSpansOf: prepare(
      db
        .selectFrom("closed_positions")
        .select(["openTime", "closeTime"])
        .where("accountId", "=", "")
        .orderBy("openTime"),
    ),
    countPointsOf: prepare(
      db
        .selectFrom("equity_points")
        .select(({ fn }) => fn.countAll<number>().as("points"))
        .where("accountId", "=", ""),
    ),
    putTransaction: put(db.insertInto("transactions").values(transactions), transactions),
    putCandle: put(db.replaceInto("candles").values(candles), candles),
    deleteCandles: prepare(
      db
        .deleteFrom("candles")
        .where("symbol", "=", "")
        .where("frame", "=", "m1")
        .where("start", "<", 0),
    ),
    readMarket: prepare(db.selectFrom("market").selectAll()),
    readAccounts: prepare(db.selectFrom("accounts").selectAll()),
    readQuotes: prepare(db.selectFrom("quotes").selectAll()),
    readOrders: prepare(db.selectFrom("orders").selectAll().orderBy("orderId")),
    readPositions: prepare(db.selectFrom("positions").selectAll().orderBy("tradeId")),
    readClosedPositions: prepare(
      db
        .selectFrom("closed_positions")
        .selectAll()
        .where("closeTime", ">=", 0)
        .orderBy("closeTime")
        .orderBy("tradeId"),
    ),
    readCandles: prepare(
      db
        .selectFrom("candles")
        .selectAll()
        .where("symbol", "=", "")
        .where("frame", "=", "m1")
        .where("start", ">=", 0)
        .where("start", "<", 0)
        .orderBy("start", "desc")
        .limit(1),
    ),
  };
}

/** For a key that is a text: replacing the row would also rewrite a page of the key's index. */
function orUpdate<Row extends object>(example: Row, key: keyof Row & string): RawBuilder<unknown> {
  const columns = Object.keys(example).filter((column) => column !== key);
  const changes = columns.map(
    (column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`,
  );
  return sql`on conflict (${sql.ref(key)}) do update set ${sql.join(changes)}`;
}
