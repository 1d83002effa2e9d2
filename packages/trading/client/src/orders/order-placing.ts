import type { CallOptions } from "../calls/call-options.ts";
import { checkRequest } from "../requests/check-request.ts";
import type { KnownAccounts } from "../requests/known-accounts.ts";
import type { TableRow } from "../tables/table-row.ts";
import { orderStatus } from "../wire/index.ts";
import type { ClosingHandle, ClosingOutcome, OrderHandle, OrderOutcome } from "./order-handle.ts";
import type { EntryOrder, MarketOrder, SymbolClosing, TradeClosing } from "./order-requests.ts";
import type { OrderTracker } from "./order-tracker.ts";
import type { TrackedOrder } from "./tracked-order.ts";
import type { TradingCalls } from "./trading-calls.ts";

export interface OrderPlacing {
  /** Places a market order and follows it in the Order table, which it subscribes to. */
  placeMarketOrder(order: MarketOrder, options?: CallOptions): Promise<OrderHandle>;
  /** Places an entry order and follows it in the Order table. */
  placeEntryOrder(order: EntryOrder, options?: CallOptions): Promise<OrderHandle>;
  /** Closes all or part of a trade and follows the closing order. */
  placeClosing(closing: TradeClosing, options?: CallOptions): Promise<ClosingHandle>;
  /** Closes all trades of one symbol or of all symbols, with one order per symbol and side. */
  placeClosings(closing: SymbolClosing, options?: CallOptions): Promise<readonly ClosingHandle[]>;
}

/** @param timeoutMs how long `ended` of a market order waits by default */
export function createOrderPlacing(
  trading: TradingCalls,
  tracker: OrderTracker,
  accounts: KnownAccounts,
  timeoutMs: number,
  readClosed: (
    orderId: string,
    options: CallOptions,
  ) => Promise<readonly TableRow<"ClosedPosition">[]>,
): OrderPlacing {
  const closing = (order: TrackedOrder): ClosingHandle => ({
    orderId: order.orderId,
    ended: async (options = {}) => {
      const outcome = await order.ended(options);
      return closingOutcome(outcome, order.amount, await readClosed(order.orderId, options));
    },
  });
  return {
    placeClosing: async (trade, options = {}) => {
      checkRequest({ ...trade }, accounts);
      const expected = { amount: null, isEntryOrder: false, timeoutMs };
      const place = async (placing: CallOptions) => [await trading.closeTrade(trade, placing)];
      return closing(only(await tracker.place("/trading/close_trade", expected, options, place)));
    },
    placeClosings: async (all, options = {}) => {
      checkRequest({ ...all }, accounts);
      const expected = { amount: null, isEntryOrder: false, timeoutMs };
      const place = (placing: CallOptions) => trading.closeAllForSymbol(all, placing);
      const path = "/trading/close_all_for_symbol";
      return (await tracker.place(path, expected, options, place)).map(closing);
    },
    placeMarketOrder: async (order, options = {}) => {
      checkRequest({ ...order }, accounts);
      const expected = { amount: order.amount, isEntryOrder: false, timeoutMs };
      const place = async (placing: CallOptions) => [await trading.openTrade(order, placing)];
      return only(await tracker.place("/trading/open_trade", expected, options, place));
    },
    placeEntryOrder: async (order, options = {}) => {
      const { expiration, ...fields } = order;
      checkRequest(fields, accounts);
      const expected = { amount: order.amount, isEntryOrder: true, timeoutMs: 0 };
      const place = async (placing: CallOptions) => [
        await trading.createEntryOrder(order, placing),
      ];
      return only(await tracker.place("/trading/create_entry_order", expected, options, place));
    },
  };
}

/** The handle of a request that places one order. */
function only([order]: readonly TrackedOrder[]): TrackedOrder {
  if (order === undefined) throw new TypeError("The server answered without an order");
  return order;
}

/** @param ordered thousands; null: unknown */
function closingOutcome(
  outcome: OrderOutcome,
  ordered: number | null,
  closed: readonly TableRow<"ClosedPosition">[],
): ClosingOutcome {
  const sum = (figure: (row: TableRow<"ClosedPosition">) => number) =>
    closed.reduce((total, row) => total + figure(row), 0);
  const amount = sum(({ amountK }) => amountK);
  const expected = outcome.amount ?? (outcome.status === orderStatus.executed ? ordered : null);
  const isKnown = amount === expected || (expected === null && amount > 0 && outcome.isComplete);
  if (!isKnown) {
    const unknown = { amount: outcome.amount, rate: outcome.rate, grossPL: null };
    return { ...outcome, ...unknown, isComplete: false, closed };
  }
  return {
    ...outcome,
    amount,
    rate: amount === 0 ? null : sum((row) => row.close * row.amountK) / amount,
    // Rounded to cents: sums of fractions leave rounding errors.
    grossPL: Math.round(sum((row) => row.grossPL) * 100) / 100,
    closed,
  };
}
