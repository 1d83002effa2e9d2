export { looksLikeAccountName } from "./account-name.ts";
export type { AccountRecord, MarginCallState } from "./account-record.ts";
export type {
  CandlesAnswer,
  Envelope,
  InstrumentEntry,
  OcoAnswer,
  OrderAnswer,
  PricesAnswer,
  Refusal,
} from "./answers.ts";
export type { CandleRow } from "./candle-row.ts";
export { type ErrorCode, errorCodes } from "./error-codes.ts";
export {
  decodeForm,
  encodeForm,
  type FormFields,
  type FormValue,
  parseFormBoolean,
  parseFormNumber,
} from "./form.ts";
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
export type { OcoRecord } from "./oco-record.ts";
export type {
  AddToOcoRequest,
  EditOcoRequest,
  RemoveFromOcoRequest,
  SimpleOcoRequest,
} from "./oco-requests.ts";
export type { OfferRecord } from "./offer-record.ts";
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
  orderTypes,
  type TimeInForce,
  timesInForce,
} from "./order-codes.ts";
export type { OrderRecord } from "./order-record.ts";
export type { ClosedPositionRecord, OpenPositionRecord } from "./position-records.ts";
export type { PriceUpdate } from "./price-update.ts";
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
} from "./requests.ts";
export type { LeverageProfileRecord, PropertyRecord } from "./setting-records.ts";
export type { SummaryRecord } from "./summary-record.ts";
export { isSymbol, parseSymbol } from "./symbol.ts";
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
} from "./tables.ts";
export {
  parseTimeFrame,
  type TimeFrame,
  type TimeFrameLimits,
  timeFrameIds,
  timeFrames,
} from "./time-frame.ts";
export {
  dynamicTrailingStep,
  isTrailingStopStep,
  leastFixedTrailingStep,
} from "./trailing-stop.ts";
export {
  type Extension,
  extensionsProperty,
  type SettledRequest,
  type TransactionRecord,
  type TransactionsAnswer,
  type TransactionType,
  transactionTypes,
} from "./transactions.ts";
export { formatWireDate, formatWireTime, parseWireTime } from "./wire-time.ts";
