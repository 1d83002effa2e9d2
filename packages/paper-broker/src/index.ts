export { BrokerConfigError, parseBrokerConfig } from "./configuration/parse-broker-config.ts";
export type { AccountConfig } from "./engine/account.ts";
export type { CommandRequests, CommandResult, CommandType } from "./engine/command.ts";
export type { TableChange } from "./engine/table-change.ts";
export type { FaultSettings } from "./faults/fault-settings.ts";
export type { Faults } from "./faults/faults.ts";
export type { CandleQuery, CandlesResult } from "./market/candle-query.ts";
export type { CsvReplayConfig } from "./market/csv-replay.ts";
export {
  defaultInstruments,
  type InstrumentConfig,
  type LiquidityConfig,
} from "./market/instrument-config.ts";
export type { MarketListener } from "./market/market-listener.ts";
export type { PaperMarketOptions } from "./market/market-options.ts";
export { openPaperMarket, type PaperMarket } from "./market/paper-market.ts";
export { PriceFileError } from "./market/price-file-error.ts";
export type { PriceSourceConfig } from "./market/price-source.ts";
export type { RandomWalkConfig } from "./market/random-walk.ts";
export type { MarketHoursByType } from "./market/trading-hours.ts";
export type { ConnectionLimits } from "./server/connection-limits.ts";
export {
  type PaperBroker,
  type PaperBrokerConfig,
  type PaperBrokerOptions,
  startPaperBroker,
} from "./server/paper-broker.ts";
export { StateError } from "./state/state-error.ts";
