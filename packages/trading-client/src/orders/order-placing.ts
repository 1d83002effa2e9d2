import type { CallOptions } from "../calls/call-options.ts";
import { checkRequest } from "../requests/check-request.ts";
import type { KnownAccounts } from "../requests/known-accounts.ts";
import type { OrderHandle } from "./order-handle.ts";
import type { EntryOrder, MarketOrder } from "./order-requests.ts";
import type { OrderTracker } from "./order-tracker.ts";
import type { TradingCalls } from "./trading-calls.ts";

export interface OrderPlacing {
  /** Places a market order, and follows it in the Order table, which is subscribed for it. */
  placeMarketOrder(order: MarketOrder, options?: CallOptions): Promise<OrderHandle>;
  /** Places an entry order, and follows it likewise. */
  placeEntryOrder(order: EntryOrder, options?: CallOptions): Promise<OrderHandle>;
}

/** @param timeoutMs that `ended` of a market order waits by default */
export function createOrderPlacing(
  trading: TradingCalls,
  tracker: OrderTracker,
  accounts: KnownAccounts,
  timeoutMs: number,
): OrderPlacing {
  return {
    placeMarketOrder: async (order, options = {}) => {
      checkRequest({ ...order }, accounts);
      const expected = { amount: order.amount, isEntryOrder: false, timeoutMs };
      const place = (placing: CallOptions) => trading.openTrade(order, placing);
      return tracker.place("/trading/open_trade", expected, options, place);
    },
    placeEntryOrder: async (order, options = {}) => {
      const { expiration, ...fields } = order;
      checkRequest(fields, accounts);
      const expected = { amount: order.amount, isEntryOrder: true, timeoutMs: 0 };
      const place = (placing: CallOptions) => trading.createEntryOrder(order, placing);
      return tracker.place("/trading/create_entry_order", expected, options, place);
    },
  };
}
