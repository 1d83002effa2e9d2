import { createSqliteBuilder } from "@proj/database/queries";
import type { TimeFrame } from "@proj/trading-client/wire";
import type { Database, Transaction } from "better-sqlite3";
import type { EquityPoint } from "../engine/book.ts";
import type { ClosedPosition } from "../engine/position.ts";
import type { Candle } from "../instruments/candle.ts";
import { createTables } from "./create-tables.ts";
import { History } from "./history.ts";
import type { MarketChanges, SavedMarket, StoredCandle } from "./market-state.ts";
import { explain, type OpenState, openDatabase } from "./open-database.ts";
import { type CandleTableRow, type StateTables, schemaVersion } from "./schema.ts";
import { StateError } from "./state-error.ts";
import { prepareStatements, type Statements } from "./statements.ts";
import type { SymbolTotals, TradeTotals } from "./trade-totals.ts";

/** A market's state in SQLite. All calls are synchronous: when `save` returns, the changes are committed. */
export class MarketStore {
  readonly #file: string;
  readonly #state: OpenState;
  /** Made once: making it takes as long as a small row. */
  readonly #transaction: Transaction<(statements: () => void) => void>;
  readonly #statements: Statements;
  readonly #source: string;
  readonly history: History;

  /**
   * @param file null: in memory
   * @param source describes the configured prices
   * @throws StateError the file cannot be used, or its state belongs to other prices
   */
  constructor(file: string | null, source: string) {
    this.#file = file ?? "in memory";
    this.#state = openDatabase(file);
    const { database } = this.#state;
    this.#transaction = database.transaction((statements) => statements());
    this.#source = source;
    try {
      // Compiled once and run by better-sqlite3 itself, synchronously: a command is committed before its answer.
      const db = createSqliteBuilder<StateTables>();
      if (isEmpty(database)) {
        const statements = createTables(db).map((query) => query.compile().sql);
        database.exec(`begin; ${statements.join("; ")}; commit`);
      }
      this.#statements = prepareStatements(database, db);
      this.history = new History(database, db);
      this.#checkMarket();
    } catch (error) {
      this.#state.close();
      throw error instanceof StateError ? error : explain(error, this.#file);
    }
  }

  /** Null: nothing has been saved yet. */
  load(): SavedMarket | null {
    const statements = this.#statements;
    const market = statements.readMarket.get();
    if (market === undefined) return null;
    const { now, nextOrderId, nextTradeId, nextOcoBulkId, nextTransactionId } = market;
    const position: unknown = JSON.parse(market.position);
    return {
      now,
      position,
      counters: { nextOrderId, nextTradeId, nextOcoBulkId, nextTransactionId },
      accounts: statements.readAccounts.all(),
      quotes: statements.readQuotes
        .all()
        .map((quote) => ({ ...quote, visible: quote.visible === 1 })),
      orders: statements.readOrders
        .all()
        .map((order) => ({ ...order, trades: parseTrades(order.trades) })),
      positions: statements.readPositions.all(),
    };
  }

  /** Positions closed at this time or later, in order of closing. */
  closedSince(time: number): readonly ClosedPosition[] {
    return this.#statements.readClosedPositions.all(time);
  }

  /** Commits everything or, with an error, nothing. @throws StateError */
  save(changes: MarketChanges): void {
    const put = this.#statements;
    const { book } = changes;
    this.#write(() => {
      put.putMarket({
        id: 1,
        schemaVersion,
        now: changes.now,
        source: this.#source,
        position: JSON.stringify(changes.position),
        ...book.counters,
      });
      for (const account of book.accounts) put.putAccount(account);
      for (const quote of book.quotes) put.putQuote({ ...quote, visible: quote.visible ? 1 : 0 });
      for (const order of book.orders) {
        put.putOrder({ ...order, trades: JSON.stringify(order.trades) });
      }
      for (const orderId of book.removedOrders) put.deleteOrder.run(orderId);
      for (const position of book.positions) put.putPosition(position);
      for (const tradeId of book.removedPositions) put.deletePosition.run(tradeId);
      for (const position of book.closedPositions) put.putClosedPosition(position);
      for (const point of book.equityPoints) put.putEquityPoint(point);
      for (const transaction of book.transactions) put.putTransaction(transaction);
      for (const { symbol, frame, candle } of changes.candles) {
        put.putCandle({ symbol, frame, ...candle });
      }
    });
  }

  /** An account's most recently closed positions, oldest first. */
  closedOf(accountId: string, most: number): readonly ClosedPosition[] {
    return this.#statements.readClosedOf.all(accountId, most).reverse();
  }

  /** The newest points of an account's equity curve, oldest first. */
  equityOf(accountId: string, most: number): readonly EquityPoint[] {
    return this.#statements.readEquityOf.all(accountId, most).reverse();
  }

  tradeTotalsOf(accountId: string): TradeTotals {
    const totals = this.#statements.readTotalsOf.get(accountId);
    if (totals === undefined) throw new Error("A query for sums returned no row.");
    return totals;
  }

  countPointsOf(accountId: string): number {
    return this.#statements.countPointsOf.get(accountId)?.points ?? 0;
  }

  /** Sums by symbol and side. */
  symbolTotalsOf(accountId: string): readonly SymbolTotals[] {
    return this.#statements.readSymbolsOf.all(accountId);
  }

  /** The points of an account's equity curve, oldest first. Nothing else can be read meanwhile. */
  *pointsOf(accountId: string): Generator<Pick<EquityPoint, "time" | "equity">> {
    yield* this.#statements.readEquitiesOf.iterate(accountId);
  }

  /** When its closed trades were open, in order of opening. Nothing else can be read meanwhile. */
  *spansOf(accountId: string): Generator<Pick<ClosedPosition, "openTime" | "closeTime">> {
    yield* this.#statements.readSpansOf.iterate(accountId);
  }

  /**
   * The newest candles of a span, oldest first.
   * @param before exclusive
   */
  readCandles(
    symbol: string,
    frame: TimeFrame,
    span: { readonly from: number; readonly before: number; readonly most: number },
  ): readonly Candle[] {
    const { from, before, most } = span;
    // SQLite reads a negative limit as none.
    const limit = Number.isFinite(most) ? most : -1;
    return this.#statements.readCandles
      .all(symbol, frame, Math.trunc(from), Math.trunc(before), limit)
      .map(withoutKey)
      .reverse();
  }

  /** The symbol's last candle in each frame that has any. */
  lastCandles(symbol: string, frames: readonly TimeFrame[]): readonly StoredCandle[] {
    const span = { from: 0, before: Number.MAX_SAFE_INTEGER, most: 1 };
    return frames.flatMap((frame) =>
      this.readCandles(symbol, frame, span).map((candle) => ({ symbol, frame, candle })),
    );
  }

  /** Deletes candles that begin before these times. @throws StateError */
  deleteCandles(
    symbols: readonly string[],
    before: readonly { readonly frame: TimeFrame; readonly time: number }[],
  ): void {
    this.#write(() => {
      for (const symbol of symbols) {
        for (const { frame, time } of before) {
          this.#statements.deleteCandles.run(symbol, frame, time);
        }
      }
    });
  }

  close(): void {
    this.#state.close();
  }

  #write(statements: () => void): void {
    try {
      this.#transaction.immediate(statements);
      // A commit to a file that was replaced is lost, whether that happened before it or meanwhile.
      this.#state.check();
    } catch (error) {
      throw explain(error, this.#file);
    }
  }

  #checkMarket(): void {
    const market = this.#statements.readMarket.get();
    if (market === undefined) return;
    if (market.schemaVersion !== schemaVersion) {
      throw new StateError(
        `The state ${this.#file} has version ${market.schemaVersion}, but this program needs ${schemaVersion}: use another file`,
      );
    }
    if (market.source !== this.#source) {
      throw new StateError(
        `The state ${this.#file} was created with other prices (${market.source} instead of ${this.#source}): use another file, or delete it`,
      );
    }
  }
}

function isEmpty(database: Database): boolean {
  return database.prepare("select 1 from sqlite_schema limit 1").get() === undefined;
}

function withoutKey({ symbol: _symbol, frame: _frame, ...candle }: CandleTableRow): Candle {
  return candle;
}

function parseTrades(text: string): readonly number[] {
  const trades: unknown = JSON.parse(text);
  return Array.isArray(trades) ? trades.map(Number) : [];
}
