import type { BodyName } from "../load/load-protocol.ts";
import { quantileOfSorted } from "../statistics.ts";
import type { Measurements } from "./measurements.ts";

/** Above this, a strict row with `synchronous: full` measures the disk and not the gateway. */
const SLOW_DISK_MS = 0.3;

export interface Requirement {
  readonly text: string;
  readonly bound: string;
  /** Null: not measured in this run. */
  readonly measured: string | null;
  /** Null: not measured. A cell with errors does not pass. */
  readonly passed: boolean | null;
}

/** The bounds that the gateway must keep. */
export function checkRequirements(measured: Measurements, fdatasyncMs: number): Requirement[] {
  const bound = fdatasyncMs < SLOW_DISK_MS ? "gateway-bound" : "gateway-bound-normal";
  const checker = new Checker(measured);
  const inRounds = [
    checker.speed(bound, "bare-parse", "1k", 16, 0.4),
    checker.speed(bound, "bare-parse", "1k", 64, 0.5),
    checker.cpu(bound, "bare-parse", "1k", 16, 2.2),
    checker.cpu(bound, "bare-parse", "1k", 64, 2.2),
    checker.speed("gateway-unbound", "bare-parse", "1k", 16, 0.9),
    checker.speed("gateway-unbound", "bare-parse", "1k", 64, 0.9),
    checker.speed("gateway-unbound", "bare-parse", "200k", 16, 0.9),
    checker.speed("gateway-unbound", "bare-parse", "200k", 64, 0.9),
    checker.speed(bound, "bare-parse", "200k", 16, 1),
    checker.speed(bound, "bare-parse", "200k", 64, 1),
    checker.speed("gateway-bound-traced", "gateway-bound", "1k", 16, 0.8),
    checker.speed("gateway-bound-traced", "gateway-bound", "1k", 64, 0.8),
    checker.disk(bound, "200k", 12),
    ...checker.before(),
  ];
  const ofStreams = ["gateway-unbound", bound].flatMap((row) => [
    checker.firstChunk(row),
    checker.streamsFinish(row),
    checker.streamsMemory(row),
  ]);
  return [...inRounds, ...ofStreams];
}

const ascending = (one: number, other: number): number => one - other;

class Checker {
  readonly #measured: Measurements;

  constructor(measured: Measurements) {
    this.#measured = measured;
  }

  speed(
    row: string,
    base: string,
    body: BodyName,
    connections: number,
    least: number,
  ): Requirement {
    const ratio = this.#measured.ratio("requests_per_second", row, base, body, connections);
    return {
      text: `${row} to ${base}, requests/s, ${body}, ${connections} connections`,
      bound: `>= ${least}`,
      ...this.#judge(
        ratio,
        (value) => value >= least,
        this.#cellErrors(row, base, body, connections),
      ),
    };
  }

  /** Each cell of the gateway next to the same cell of another working copy's, with the quartiles of the rounds. */
  before(): Requirement[] {
    const cells = this.#measured.rounds.filter(
      ({ row, repetition }) => row.startsWith("before-") && repetition === 0,
    );
    return cells.map(({ row, body, connections }) => {
      const now = row.replace("before-", "gateway-");
      const requirement = this.speed(now, row, body, connections, 0.97);
      const { measured } = requirement;
      if (measured === null) return requirement;
      const figures = [now, row, body, connections] as const;
      const ratios = this.#measured.ratios("requests_per_second", ...figures).toSorted(ascending);
      const [first, last] = [0.25, 0.75].map((share) => quantileOfSorted(ratios, share).toFixed(2));
      return { ...requirement, measured: `${measured} (${first} to ${last})` };
    });
  }

  cpu(row: string, base: string, body: BodyName, connections: number, most: number): Requirement {
    const ratio = this.#measured.ratio("cpu_us_per_request", row, base, body, connections);
    return {
      text: `${row} to ${base}, CPU per request, ${body}, ${connections} connections`,
      bound: `<= ${most}`,
      ...this.#judge(
        ratio,
        (value) => value <= most,
        this.#cellErrors(row, base, body, connections),
      ),
    };
  }

  disk(row: string, body: BodyName, most: number): Requirement {
    return {
      text: `${row}: KB on disk for each request, ${body}`,
      bound: `<= ${most}`,
      ...this.#judge(this.#measured.kilobytesPerRequest(row, body), (value) => value <= most, 0),
    };
  }

  firstChunk(row: string): Requirement {
    const errors =
      this.#measured.firstChunkErrors(row) + this.#measured.firstChunkErrors("upstream");
    return {
      text: `${row}: first chunk later than from the upstream, median, 16 connections (ms)`,
      bound: "<= 1",
      ...this.#judge(this.#measured.firstChunkDelayMs(row), (value) => value <= 1, errors),
    };
  }

  streamsFinish(row: string): Requirement {
    const record = this.#measured.streamsOf(row);
    return {
      text: `${row}: of ${record?.streams ?? 1000} streams at once, finished`,
      bound: "all",
      measured: record === undefined ? null : String(record.finished),
      passed: record === undefined ? null : record.finished === record.streams,
    };
  }

  streamsMemory(row: string): Requirement {
    const record = this.#measured.streamsOf(row);
    return {
      text: `${row}: peak memory with these streams (MB)`,
      bound: "< 400",
      ...this.#judge(record?.peak_rss_mb ?? Number.NaN, (value) => value < 400, record?.cut ?? 0),
    };
  }

  #cellErrors(row: string, base: string, body: BodyName, connections: number): number {
    const ofRow = this.#measured.errors(row, body, connections);
    return ofRow + this.#measured.errors(base, body, connections);
  }

  #judge(
    value: number,
    passes: (value: number) => boolean,
    errors: number,
  ): Pick<Requirement, "measured" | "passed"> {
    if (Number.isNaN(value)) return { measured: null, passed: null };
    if (errors > 0) return { measured: `INVALID (${errors} errors)`, passed: false };
    return { measured: value.toPrecision(3), passed: passes(value) };
  }
}
