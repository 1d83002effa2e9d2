import type { BodyName } from "../load/load-protocol.ts";
import { MANY_STREAMS_ROWS, PEER_ROWS, USUAL_ROWS } from "../servers/rows.ts";

export interface GatewayBenchOptions {
  readonly quick: boolean;
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
  /** Likewise for many more of them, for which each server is started again, alone. */
  readonly manyStreams: ManyStreams | null;
  /** Written in addition to the file in `bench/results/`. */
  readonly jsonFile: string | null;
  readonly writeReadme: boolean;
  /** The section of the README for the tables. */
  readonly section: "gateway" | "gateway --peers";
  /** Whether the gateway's bounds are checked. */
  readonly checksBounds: boolean;
}

interface StreamsAtOnce extends Streams {
  /** Only the rows that have bounds. */
  readonly requiredOnly: boolean;
}

interface ManyStreams extends Streams {
  readonly rows: readonly string[];
}

export interface Streams {
  readonly count: number;
  /** Milliseconds between two chunks of each stream. */
  readonly paceMs: number;
  /** Streams that take longer than this count as not finished. */
  readonly maxMs: number;
}

/** Under ten minutes. */
export const FULL_RUN: GatewayBenchOptions = {
  quick: false,
  force: false,
  rows: USUAL_ROWS,
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
  manyStreams: null,
  jsonFile: null,
  writeReadme: false,
  section: "gateway",
  checksBounds: true,
};

/** Under 90 seconds; only shows whether something is badly wrong. */
export const QUICK_RUN: GatewayBenchOptions = {
  ...FULL_RUN,
  quick: true,
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

/** Under 25 minutes, once the peers are installed. */
export const PEER_RUN: GatewayBenchOptions = {
  ...FULL_RUN,
  rows: PEER_ROWS,
  bodies: ["1k", "200k", "stream"],
  connections: [16, 64],
  warmUpMs: { "1k": 6000, "200k": 2500, "1m": 1500, stream: 2500 },
  repetitions: { "1k": 3, "200k": 2, "1m": 1, stream: 2 },
  streamWindowMs: 4000,
  firstChunkRepetitions: 2,
  // A stream takes two descriptors of the server, and systems allow a process 20,000 more often than more.
  manyStreams: {
    count: 9_900,
    paceMs: 500,
    maxMs: 120_000,
    rows: MANY_STREAMS_ROWS,
  },
  section: "gateway --peers",
  checksBounds: false,
};

/** Under four minutes; only shows whether every peer starts and answers. */
export const QUICK_PEER_RUN: GatewayBenchOptions = {
  ...QUICK_RUN,
  rows: PEER_ROWS,
  bodies: ["1k", "stream"],
  connections: [16],
  repetitions: { "1k": 1, "200k": 1, "1m": 1, stream: 1 },
  streamWindowMs: 2000,
  streams: { count: 100, paceMs: 40, maxMs: 60_000, requiredOnly: false },
  section: "gateway --peers",
  checksBounds: false,
};
