import type { ClosedPositionRecord, SettledRequest } from "@proj/trading-client/wire";
import type { Transaction } from "../engine/transactions.ts";
import type { ClosedQuery, TransactionsQuery } from "../state/history.ts";
import type { MarketParts } from "./market-parts.ts";

/** Most ids to remember of requests that placed nothing; the oldest are forgotten. */
const maxRemembered = 100_000;

/** What happened in a market, on any day. */
export class MarketHistory {
  readonly #parts: MarketParts;
  /** Requests that were asked for and had placed nothing. */
  readonly #void = new Set<string>();

  constructor(parts: MarketParts) {
    this.#parts = parts;
  }

  /** The id of the newest transaction; 0: none. */
  get lastId(): number {
    return this.#parts.engine.book.counters.nextTransactionId - 1;
  }

  /** Oldest first. */
  transactions(query: TransactionsQuery): readonly Transaction[] {
    return this.#parts.store.history.transactions(query);
  }

  /** As rows of the table, in order of closing. */
  closedPositions(query: ClosedQuery): readonly ClosedPositionRecord[] {
    const { engine, store, instruments } = this.#parts;
    const symbols = new Set(instruments.map(({ symbol }) => symbol));
    const rows = store.history.closed(query).filter(({ symbol }) => symbols.has(symbol));
    return rows.map((closed) => engine.closedRow(closed));
  }

  /**
   * What became of a request. The answer holds for good: if it has placed nothing by now, it is refused when it
   * arrives later. After a restart it cannot: the connection that it was sent over has ended.
   * @param accountIds whose orders the caller may see
   */
  settle(requestId: string, accountIds: readonly string[]): SettledRequest {
    const transactions = this.#parts.store.history
      .ofRequest(requestId)
      .filter(({ accountId }) => accountIds.includes(accountId));
    const byOrder = Map.groupBy(transactions, ({ orderId }) => orderId);
    if (byOrder.size === 0) this.#refuseFromNowOn(requestId);
    return {
      executed: byOrder.size > 0,
      orders: [...byOrder].map(([orderId, all]) => this.#settledOrder(orderId, all)),
    };
  }

  #settledOrder(orderId: number, all: readonly Transaction[]): SettledRequest["orders"][number] {
    const fills = all.filter(({ tradeId }) => tradeId !== 0);
    const closings = fills.filter(({ type }) => type === "trade_closed");
    const sum = (figure: (fill: Transaction) => number, of = fills): number =>
      of.reduce((total, fill) => total + figure(fill), 0);
    const filledK = sum(({ amount }) => amount);
    const points = filledK === 0 ? 0 : sum(({ amount, rate }) => amount * rate) / filledK;
    const instrument = this.#parts.instruments.find(({ symbol }) => symbol === all[0]?.symbol);
    const { scale = 1 } = instrument ?? {};
    return {
      orderId: String(orderId),
      tradeIds: [...new Set(fills.map(({ tradeId }) => String(tradeId)))],
      filledK,
      fillRate: Math.round(points * 1000) / 1000 / scale,
      grossPL: closings.length === 0 ? null : sum(({ grossPL }) => grossPL, closings) / 100,
    };
  }

  /** Whether an order of this request must be refused: it is settled, or has placed its orders. */
  isSettled(requestId: string): boolean {
    if (requestId === "") return false;
    return this.#void.has(requestId) || this.#parts.store.history.ofRequest(requestId).length > 0;
  }

  #refuseFromNowOn(requestId: string): void {
    this.#void.add(requestId);
    for (const oldest of this.#void) {
      if (this.#void.size <= maxRemembered) return;
      this.#void.delete(oldest);
    }
  }
}
