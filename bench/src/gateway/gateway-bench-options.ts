import type { BodyName } from "../load/load-protocol.ts";
import { ROWS } from "../servers/rows.ts";

export interface GatewayBenchOptions {
  /** Measure although the machine is loaded. */
  readonly force: boolean;
  /** Names of rows. */
  readonly rows: readonly string[];
  /** Another working copy, whose gateway is measured, too; null: none. */
  readonly before: string | null;
  readonly bodies: readonly BodyName[];
  readonly connections: readonly number[];
  readonly windowMs: number;
  /** Likewise for streams: with 64 connections all of them have to end within it. */
  readonly streamWindowMs: number;
  readonly rampMs: number;
  /** How long each server runs before it is measured, by body: with the first body it compiles its common code. */
  readonly warmUpMs: Readonly<Record<BodyName, number>>;
  /** Rounds of each cell, by body. */
  readonly repetitions: Readonly<Record<BodyName, number>>;
  /** How often each server is started for a body: the rounds are divided among the starts. */
  readonly starts: number;
  readonly firstChunkRepetitions: number;
  /** Null: without the measurement of concurrent streams. */
  readonly streams: StreamsAtOnce | null;
  readonly writeReadme: boolean;
}

interface StreamsAtOnce {
  readonly count: number;
  /** Milliseconds between two chunks of each stream. */
  readonly paceMs: number;
  /** Streams that take longer than this count as not finished. */
  readonly maxMs: number;
  /** Only the rows that have bounds. */
  readonly requiredOnly: boolean;
}

/** Under ten minutes. */
export const FULL_RUN: GatewayBenchOptions = {
  force: false,
  rows: ROWS.map(({ name }) => name),
  before: null,
  bodies: ["1k", "200k", "1m", "stream"],
  connections: [1, 16, 64],
  windowMs: 1000,
  streamWindowMs: 1000,
  rampMs: 100,
  warmUpMs: { "1k": 7000, "200k": 1500, "1m": 1500, stream: 1500 },
  repetitions: { "1k": 5, "200k": 4, "1m": 2, stream: 2 },
  starts: 1,
  firstChunkRepetitions: 3,
  streams: { count: 1000, paceMs: 100, maxMs: 60_000, requiredOnly: false },
  writeReadme: false,
};

/** Under 90 seconds; only shows whether something is badly wrong. */
export const QUICK_RUN: GatewayBenchOptions = {
  ...FULL_RUN,
  bodies: ["1k", "200k", "stream"],
  connections: [16, 64],
  windowMs: 300,
  streamWindowMs: 300,
  rampMs: 60,
  warmUpMs: { "1k": 600, "200k": 600, "1m": 600, stream: 600 },
  repetitions: { "1k": 2, "200k": 1, "1m": 1, stream: 1 },
  firstChunkRepetitions: 1,
  streams: { count: 1000, paceMs: 40, maxMs: 60_000, requiredOnly: true },
};
