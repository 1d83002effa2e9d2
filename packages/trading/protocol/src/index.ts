export {
  forexHoursConfig,
  type MarketHoliday,
  type MarketHoursConfig,
  type WeeklySession,
} from "./hours/hours-config.ts";
export { marketHoursProperty, readMarketHours } from "./hours/hours-properties.ts";
export {
  createMarketHours,
  forexHours,
  type MarketHours,
  type MarketPhase,
} from "./hours/market-hours.ts";
export type { MarketOpening } from "./hours/session.ts";
export { tradingDateAt, tradingDayEnd, tradingDayZone } from "./hours/trading-date.ts";
export { looksLikeAccountName } from "./wire/account-name.ts";
export type { AccountRecord, MarginCallState } from "./wire/account-record.ts";
export type {
  CandlesAnswer,
  Envelope,
  InstrumentEntry,
  OcoAnswer,
  OrderAnswer,
  PricesAnswer,
  Refusal,
} from "./wire/answers.ts";
export type { CandleRow } from "./wire/candle-row.ts";
export { type ErrorCode, errorCodes } from "./wire/error-codes.ts";
export {
  decodeForm,
  encodeForm,
  type FormFields,
  type FormValue,
  parseFormBoolean,
  parseFormNumber,
} from "./wire/form.ts";
export type { OcoRecord } from "./wire/oco-record.ts";
export type {
  AddToOcoRequest,
  EditOcoRequest,
  RemoveFromOcoRequest,
  SimpleOcoRequest,
} from "./wire/oco-requests.ts";
export type { OfferRecord } from "./wire/offer-record.ts";
export {
  type EntryOrderType,
  type EntryTimeInForce,
  entryOrderTypes,
  entryTimesInForce,
  type MarketOrderType,
  marketOrderTypes,
  type OrderStatus,
  type OrderType,
  orderStatus,
  type TimeInForce,
  timesInForce,
} from "./wire/order-codes.ts";
export type { OrderRecord } from "./wire/order-record.ts";
export type { ClosedPositionRecord, OpenPositionRecord } from "./wire/position-records.ts";
export type { PriceUpdate } from "./wire/price-update.ts";
export type {
  ChangeNetStopLimitRequest,
  ChangeOrderRequest,
  ChangeOrderStopLimitRequest,
  ChangeTradeStopLimitRequest,
  CloseAllForSymbolRequest,
  CloseTradeRequest,
  CreateEntryOrderRequest,
  DeleteOrderRequest,
  Execution,
  OpenTradeRequest,
  OrderIdentity,
  SetStopLimitRequest,
  StopAndLimit,
  UpdateSubscriptionsRequest,
} from "./wire/requests.ts";
export type { LeverageProfileRecord, PropertyRecord } from "./wire/setting-records.ts";
export type { SummaryRecord } from "./wire/summary-record.ts";
export { isSymbol, parseSymbol } from "./wire/symbol.ts";
export {
  isTableModel,
  type PushedRecord,
  type TableAction,
  type TableDescription,
  type TableModel,
  type TableRecord,
  type TableRecords,
  type TotalsRow,
  tableModels,
  tables,
} from "./wire/tables.ts";
export {
  parseTimeFrame,
  type TimeFrame,
  type TimeFrameLimits,
  timeFrameIds,
  timeFrames,
} from "./wire/time-frame.ts";
export {
  dynamicTrailingStep,
  isTrailingStopStep,
  leastFixedTrailingStep,
} from "./wire/trailing-stop.ts";
export {
  type Extension,
  extensionsProperty,
  type SettledRequest,
  type TransactionRecord,
  type TransactionsAnswer,
  type TransactionType,
  transactionTypes,
} from "./wire/transactions.ts";
export { formatWireDate, formatWireTime, parseWireTime } from "./wire/wire-time.ts";
