import { basename } from "node:path";
import type { Instrument } from "../instruments/instrument.ts";
import type { CsvReplayConfig, CsvReplayPosition } from "./csv-replay.ts";
import { csvFiles, MergedReplay } from "./merged-replay.ts";
import type { PriceSource, PriceSourceParts } from "./price-source.ts";
import { RandomWalk, type RandomWalkConfig, type RandomWalkPosition } from "./random-walk.ts";
import {
  SimulatedMarket,
  type SimulatedMarketConfig,
  type SimulatedMarketPosition,
} from "./simulation/simulated-market.ts";

/** The configuration of a price source. */
export type PriceSourceConfig = SimulatedMarketConfig | RandomWalkConfig | CsvReplayConfig;

/**
 * @param position from the same configuration; null: from the beginning
 * @throws TypeError an invalid configuration
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

/** Describes a configuration: equal texts give equal prices. */
export function describePriceSource(
  config: PriceSourceConfig,
  instruments: readonly Instrument[],
): string {
  const { type } = config;
  // Stored rates are points at this precision.
  const precisions = instruments.map(({ symbol, ratePrecision }) => `${symbol} ${ratePrecision}`);
  if (type === "csv") {
    const names = csvFiles(config).map((file) => basename(file));
    const [name] = names;
    return JSON.stringify({ type, file: names.length === 1 ? name : names, precisions });
  }
  const { seed = 1, tick_interval_ms = 1000 } = config;
  // The length of a step changes the prices.
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
