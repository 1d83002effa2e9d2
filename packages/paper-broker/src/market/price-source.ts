import { basename } from "node:path";
import type { Instrument } from "../instruments/instrument.ts";
import type { Tick } from "../instruments/tick.ts";
import type { TradingHours } from "../instruments/trading-hours.ts";
import type { CsvReplayConfig, CsvReplayPosition } from "./csv-replay.ts";
import { csvFiles, MergedReplay } from "./merged-replay.ts";
import { RandomWalk, type RandomWalkConfig, type RandomWalkPosition } from "./random-walk.ts";
import {
  SimulatedMarket,
  type SimulatedMarketConfig,
  type SimulatedMarketPosition,
} from "./simulation/simulated-market.ts";

/** Where prices come from. */
export type PriceSourceConfig = SimulatedMarketConfig | RandomWalkConfig | CsvReplayConfig;

/**
 * Gives prices one after the other, in the order of their times. It has no clock: the reader
 * decides how fast.
 */
export interface PriceSource<Position = unknown> {
  /** The price that comes next; null: there are no more. */
  readonly next: Tick | null;
  /** Goes on to the one after it. @throws PriceFileError a file that cannot be read any further */
  advance(): void;
  /** What a new source of the same configuration goes on from, with the same prices: `next` is the first. JSON. */
  readonly position: Position;
  close(): void;
}

export interface PriceSourceParts {
  readonly instruments: readonly Instrument[];
  readonly hours: TradingHours;
  /** When prices begin that are drawn and not told: milliseconds since the epoch. */
  readonly start: number;
}

/**
 * @param position of the same configuration; null: from the beginning
 * @throws TypeError the configuration makes no sense
 * @throws PriceFileError the file cannot be read
 */
export function openPriceSource(
  config: PriceSourceConfig,
  parts: PriceSourceParts,
  position: unknown,
): PriceSource {
  if (config.type === "csv") {
    return new MergedReplay(config, parts, isCsvPosition(position) ? position : null);
  }
  if (config.type === "simulated") {
    return new SimulatedMarket(config, parts, isSimulatedPosition(position) ? position : null);
  }
  return new RandomWalk(config, parts, isWalkPosition(position) ? position : null);
}

/** Two configurations with the same text give the same prices. */
export function describePriceSource(
  config: PriceSourceConfig,
  instruments: readonly Instrument[],
): string {
  const { type } = config;
  // Stored rates are points of this precision.
  const precisions = instruments.map(({ symbol, ratePrecision }) => `${symbol} ${ratePrecision}`);
  if (type === "csv") {
    const names = csvFiles(config).map((file) => basename(file));
    const [name] = names;
    return JSON.stringify({ type, file: names.length === 1 ? name : names, precisions });
  }
  const { seed = 1, tick_interval_ms = 1000 } = config;
  // A step's length changes the prices.
  return JSON.stringify({ type, seed, tick_interval_ms, precisions });
}

function isCsvPosition(position: unknown): position is readonly CsvReplayPosition[] {
  return Array.isArray(position);
}

function isSimulatedPosition(position: unknown): position is SimulatedMarketPosition {
  return typeof position === "object" && position !== null && "values" in position;
}

function isWalkPosition(position: unknown): position is RandomWalkPosition {
  return typeof position === "object" && position !== null && "middles" in position;
}
