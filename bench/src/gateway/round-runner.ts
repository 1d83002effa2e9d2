import type { LoadGenerator } from "../load/load-generator.ts";
import type { BodyName, RoundResult } from "../load/load-protocol.ts";
import { peakMemoryMb, resetPeakMemory } from "../machine/process-figures.ts";
import type { StartedRow } from "../servers/server-set.ts";
import { shuffled } from "../statistics.ts";
import { progress, warning } from "../terminal/progress.ts";
import type { GatewayBenchOptions } from "./gateway-bench-options.ts";
import type { Measurements } from "./measurements.ts";

const WARM_UP_CONNECTIONS = 16;
const FIRST_CHUNK_CONNECTIONS = 16;
/** Milliseconds between chunks when the first one's delay is measured: 50 chunks last 0.1 s. */
const FIRST_CHUNK_PACE_MS = 2;
/** Without a random pause all connections would send at the same moment and wait for each other. */
const FIRST_CHUNK_THINK_MS = 50;

/** Runs rounds one at a time and keeps their measurements. */
export class RoundRunner {
  readonly #options: GatewayBenchOptions;
  readonly #load: LoadGenerator;
  readonly #measured: Measurements;
  readonly #total: number;
  #done = 0;

  constructor(
    options: GatewayBenchOptions,
    load: LoadGenerator,
    measured: Measurements,
    total: number,
  ) {
    this.#options = options;
    this.#load = load;
    this.#measured = measured;
    this.#total = total;
  }

  /** Lets every server compile its hot code. */
  async warmUp(started: readonly StartedRow[], body: BodyName): Promise<void> {
    for (const item of started) {
      progress(`warm-up ${body} ${item.row.name}`);
      const { rampMs, warmUpMs } = this.#options;
      const round = { target: item.target, body, rampMs, windowMs: warmUpMs[body] };
      const result = await this.#load.round({ ...round, connections: WARM_UP_CONNECTIONS });
      if (result.errors > 0)
        warning(`${item.row.name}: ${result.errors} errors: ${result.first_error}`);
    }
  }

  /** One round of every cell: for each number of connections all rows, close together. */
  async rounds(started: readonly StartedRow[], body: BodyName, repetition: number): Promise<void> {
    const { connections: counts, rampMs } = this.#options;
    const windowMs = body === "stream" ? this.#options.streamWindowMs : this.#options.windowMs;
    for (const connections of shuffled(counts)) {
      for (const { row, target } of inRandomOrder(started)) {
        resetPeakMemory(target.pid);
        const result = await this.#load.round({ target, body, connections, rampMs, windowMs });
        const peak_rss_mb = peakMemoryMb(target.pid);
        const labels = { row: row.name, body, connections, repetition };
        this.#measured.rounds.push({ ...labels, ...result, peak_rss_mb });
        this.#tell(`${body} ${connections} connections ${row.name}`, result);
      }
    }
  }

  async firstChunks(started: readonly StartedRow[]): Promise<void> {
    const { firstChunkRepetitions, rampMs, streamWindowMs } = this.#options;
    for (let repetition = 0; repetition < firstChunkRepetitions; repetition++) {
      for (const { row, target } of shuffled(started)) {
        const { first_byte_p50_ms, errors } = await this.#load.round({
          target,
          body: "stream",
          connections: FIRST_CHUNK_CONNECTIONS,
          rampMs,
          windowMs: streamWindowMs,
          paceMs: FIRST_CHUNK_PACE_MS,
          thinkMs: FIRST_CHUNK_THINK_MS,
        });
        const record = { row: row.name, repetition, first_byte_p50_ms, errors };
        this.#measured.firstChunks.push(record);
        progress(`first chunk ${row.name}: ${first_byte_p50_ms.toFixed(2)} ms, ${errors} errors`);
      }
    }
  }

  async streamsAtOnce(
    started: readonly StartedRow[],
    streams: NonNullable<GatewayBenchOptions["streams"]>,
  ): Promise<void> {
    const { count, paceMs, maxMs } = streams;
    for (const { row, target } of started) {
      resetPeakMemory(target.pid);
      const idle_rss_mb = peakMemoryMb(target.pid);
      const result = await this.#load.streamsAtOnce({ target, streams: count, paceMs, maxMs });
      const peak_rss_mb = peakMemoryMb(target.pid);
      const kb_per_stream = (1000 * (peak_rss_mb - idle_rss_mb)) / count;
      const memory = { peak_rss_mb, kb_per_stream };
      this.#measured.streams.push({ row: row.name, streams: count, ...result, ...memory });
      progress(
        `${count} streams at once ${row.name}: ${result.finished} finished, ` +
          `${result.at_once} under way together, ${peak_rss_mb.toFixed(0)} MB`,
      );
    }
  }

  #tell(cell: string, result: RoundResult): void {
    this.#done++;
    const errors = result.errors === 0 ? "" : `, ${result.errors} ERRORS: ${result.first_error}`;
    progress(
      `[${this.#done}/${this.#total}] ${cell}: ${result.requests_per_second.toFixed(0)}/s, ` +
        `p50 ${result.p50_ms.toFixed(2)} ms, p99 ${result.p99_ms.toFixed(2)} ms, ` +
        `CPU ${result.cpu_us_per_request.toFixed(1)} µs${errors}`,
    );
  }
}

/** A row and the same one of another working copy follow one another: what slows one down is likely to slow both. */
function inRandomOrder(started: readonly StartedRow[]): StartedRow[] {
  const together = Map.groupBy(started, ({ row }) => row.name.replace(/^before-/, "gateway-"));
  return shuffled([...together.values()]).flatMap((rows) => shuffled(rows));
}
