export { loadBrokerConfig, parseBrokerConfig } from "./configuration/parse-broker-config.ts";
export type { AccountConfig } from "./engine/account.ts";
export type { CommandRequests, CommandResult, CommandType } from "./engine/command.ts";
export type { FillModelConfig } from "./engine/fill-model.ts";
export type { TableChange } from "./engine/table-change.ts";
export type { FaultSettings } from "./faults/fault-settings.ts";
export type { Faults } from "./faults/faults.ts";
export {
  defaultInstruments,
  type InstrumentConfig,
  type LiquidityConfig,
} from "./instruments/instrument-config.ts";
export type { MarketHoursByType } from "./instruments/trading-hours.ts";
export type { CandleQuery, CandlesResult } from "./market/candle-query.ts";
export type { CsvReplayConfig } from "./market/csv-replay.ts";
export type { MarketListener } from "./market/market-listener.ts";
export type { PaperMarketOptions } from "./market/market-options.ts";
export type { PriceSourceConfig } from "./market/open-price-source.ts";
export { openPaperMarket, type PaperMarket } from "./market/paper-market.ts";
export { PriceFileError } from "./market/price-file-error.ts";
export type { RandomWalkConfig } from "./market/random-walk.ts";
export type { SimulatedMarketConfig } from "./market/simulation/simulated-market.ts";
export { chartFiles } from "./page/chart-files.ts";
export type { AccountReport, ReportedTrade } from "./reports/account-report.ts";
export type { ConnectionLimits } from "./server/connection-limits.ts";
export {
  type PaperBroker,
  type PaperBrokerConfig,
  type PaperBrokerOptions,
  startPaperBroker,
} from "./server/paper-broker.ts";
export { StateError } from "./state/state-error.ts";
