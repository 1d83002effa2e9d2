import type { BodyName, RoundResult, StreamsResult } from "../load/load-protocol.ts";
import type { ServerRow } from "../servers/server-row.ts";
import { median } from "../statistics.ts";

export interface RoundRecord extends RoundResult {
  readonly row: string;
  readonly body: BodyName;
  readonly connections: number;
  readonly repetition: number;
  readonly peak_rss_mb: number;
}

export interface StreamsRecord extends StreamsResult {
  readonly row: string;
  readonly streams: number;
  readonly peak_rss_mb: number;
  /** Memory for each stream beyond what the server had before. */
  readonly kb_per_stream: number;
}

export interface FirstChunkRecord {
  readonly row: string;
  readonly repetition: number;
  readonly first_byte_p50_ms: number;
  readonly errors: number;
}

/** Disk space for the rows of one body. */
export interface DiskRecord {
  readonly row: string;
  readonly body: BodyName;
  readonly kilobytes_per_request: number;
}

type Figure = "requests_per_second" | "p50_ms" | "p99_ms" | "cpu_us_per_request" | "peak_rss_mb";

/** Everything that a run measured, and the figures computed from it. */
export class Measurements {
  /** The rows of the report, in the order of its tables. */
  readonly rows: readonly ServerRow[];
  readonly rounds: RoundRecord[] = [];
  readonly firstChunks: FirstChunkRecord[] = [];
  readonly streams: StreamsRecord[] = [];
  readonly disk: DiskRecord[] = [];
  /** By row, why it could not be measured. */
  readonly missing: Map<string, string> = new Map();

  constructor(rows: readonly ServerRow[] = []) {
    this.rows = rows;
  }

  cell(row: string, body: BodyName, connections: number): RoundRecord[] {
    return this.rounds.filter(
      (round) => round.row === row && round.body === body && round.connections === connections,
    );
  }

  errors(row: string, body: BodyName, connections: number): number {
    return this.cell(row, body, connections).reduce((sum, round) => sum + round.errors, 0);
  }

  figure(figure: Figure, row: string, body: BodyName, connections: number): number {
    return median(this.cell(row, body, connections).map((round) => round[figure]));
  }

  /** The median over repetitions of a row's figure divided by the other row's in the same repetition. */
  ratio(
    figure: Figure,
    row: string,
    baseline: string,
    body: BodyName,
    connections: number,
  ): number {
    return median(this.ratios(figure, row, baseline, body, connections));
  }

  /** Those of each repetition. */
  ratios(
    figure: Figure,
    row: string,
    baseline: string,
    body: BodyName,
    connections: number,
  ): number[] {
    const others = this.cell(baseline, body, connections);
    return this.cell(row, body, connections).flatMap((round) => {
      const other = others.find(({ repetition }) => repetition === round.repetition);
      return other === undefined ? [] : [round[figure] / other[figure]];
    });
  }

  /** How much later the first chunk comes than directly from the upstream: median of paired differences. */
  firstChunkDelayMs(row: string): number {
    const direct = this.firstChunks.filter((record) => record.row === "upstream");
    const delays = this.firstChunks.flatMap((record) => {
      const other = direct.find(({ repetition }) => repetition === record.repetition);
      if (record.row !== row || other === undefined) return [];
      return [record.first_byte_p50_ms - other.first_byte_p50_ms];
    });
    return median(delays);
  }

  /** KB in the database for each request; NaN if nothing was written. */
  kilobytesPerRequest(row: string, body: BodyName): number {
    const record = this.disk.find((each) => each.row === row && each.body === body);
    return record?.kilobytes_per_request ?? Number.NaN;
  }

  firstChunkErrors(row: string): number {
    const records = this.firstChunks.filter((record) => record.row === row);
    return records.reduce((sum, record) => sum + record.errors, 0);
  }

  streamsOf(row: string): StreamsRecord | undefined {
    return this.streams.find((record) => record.row === row);
  }
}
