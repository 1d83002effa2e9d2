import { basename } from "node:path";
import { CsvReplay, type CsvReplayConfig, type CsvReplayPosition } from "./csv-replay.ts";
import type { Instrument } from "./instrument.ts";
import { RandomWalk, type RandomWalkConfig, type RandomWalkPosition } from "./random-walk.ts";
import type { Tick } from "./tick.ts";
import type { TradingHours } from "./trading-hours.ts";

/** Where prices come from. */
export type PriceSourceConfig = RandomWalkConfig | CsvReplayConfig;

/**
 * Gives prices one after the other, in the order of their times. It knows no clock: how fast they
 * are taken is the business of whoever takes them.
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
  /** When a random walk that is not told begins: milliseconds since the epoch. */
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
    return new CsvReplay(config, parts, isCsvPosition(position) ? position : null);
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
  if (type === "csv") return JSON.stringify({ type, file: basename(config.file), precisions });
  const { seed = 1, tick_interval_ms = 1000 } = config;
  return JSON.stringify({ type, seed, tick_interval_ms, precisions });
}

function isCsvPosition(position: unknown): position is CsvReplayPosition {
  return typeof position === "object" && position !== null && "offset" in position;
}

function isWalkPosition(position: unknown): position is RandomWalkPosition {
  return typeof position === "object" && position !== null && "middles" in position;
}
