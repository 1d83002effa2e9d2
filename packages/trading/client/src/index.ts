export { ApiError, ConnectionError, HttpError, InvalidAnswerError } from "@proj/http-client";
export type { CallOptions } from "./calls/call-options.ts";
export type { Candle } from "./candles/candle.ts";
export type { CandlesQuery } from "./candles/candles-query.ts";
export type { ConnectOptions } from "./client/connect-options.ts";
export { connectTrading } from "./client/connect-trading.ts";
export type { TradingClient } from "./client/trading-client.ts";
export type { Reconnected, TradingEvents } from "./client/trading-events.ts";
export type { ConnectionFailure } from "./connection/connection.ts";
export { CandleLimitError } from "./errors/candle-limit-error.ts";
export { InvalidRequestError } from "./errors/invalid-request-error.ts";
export { NotConnectedError, type NotConnectedReason } from "./errors/not-connected-error.ts";
export { OutcomeUnknownError } from "./errors/outcome-unknown-error.ts";
export { RefusalError } from "./errors/refusal-error.ts";
export { SlowConsumerError } from "./errors/slow-consumer-error.ts";
export { TimeoutError } from "./errors/timeout-error.ts";
export type { ClosedPositionsQuery } from "./history/closed-positions.ts";
export type { Transaction, Transactions, TransactionsQuery } from "./history/transactions.ts";
export type { MarketControl, MarketTime } from "./market/market-control.ts";
export type {
  ClosingHandle,
  ClosingOutcome,
  OrderHandle,
  OrderOutcome,
} from "./orders/order-handle.ts";
export type { OrderPlacing } from "./orders/order-placing.ts";
export type {
  EntryOrder,
  MarketOrder,
  OcoOrder,
  OcoPair,
  PlacedOrder,
  SymbolClosing,
  TradeClosing,
} from "./orders/order-requests.ts";
export type { TradingCalls } from "./orders/trading-calls.ts";
export type { ConflatedPrice } from "./prices/conflated-price.ts";
export type { Price } from "./prices/price.ts";
export type { ReconciledOrder, Reconciliation } from "./reconciling/reconciliation.ts";
export type { ChangesOptions, Table } from "./tables/live-table.ts";
export type { RenewedTable, TableChange } from "./tables/table-change.ts";
export type { DateFields, TableRow, TimeFields } from "./tables/table-row.ts";
// Each of these names is listed there, and nowhere twice.
export * from "./wire/index.ts";
