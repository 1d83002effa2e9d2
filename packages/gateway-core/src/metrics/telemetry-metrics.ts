import { Counter, Histogram, type Registry } from "prom-client";
import type { LossReason } from "../telemetry/recorder.ts";

/** What is counted of the rows on their way into storage. */
export interface TelemetryMetrics {
  /** A batch is durable. */
  committed(rows: number, durationMs: number): void;
  /** A batch could not be written and will be tried again. */
  retried(): void;
  lost(rows: number, reason: LossReason): void;
}

export function createTelemetryMetrics(registry: Registry): TelemetryMetrics {
  const registers = [registry];
  const commits = new Counter({
    name: "gateway_telemetry_commits_total",
    help: "Batches of rows that were committed.",
    registers,
  });
  const commitDuration = new Histogram({
    name: "gateway_telemetry_commit_duration_seconds",
    help: "From handing a batch of rows to storage until it was durable.",
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const commitRows = new Histogram({
    name: "gateway_telemetry_commit_rows",
    help: "Rows in a committed batch.",
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
    registers,
  });
  const rowsWritten = new Counter({
    name: "gateway_telemetry_rows_written_total",
    help: "Rows that are durable.",
    registers,
  });
  const retries = new Counter({
    name: "gateway_telemetry_retries_total",
    help: "Batches that could not be written and were kept to be tried again.",
    registers,
  });
  const rowsLost = new Counter({
    name: "gateway_telemetry_rows_lost_total",
    help: "Rows that will never be stored.",
    labelNames: ["reason"] as const,
    registers,
  });
  const lost: Record<LossReason, Counter.Internal> = {
    queue_full: rowsLost.labels({ reason: "queue_full" }),
    shutdown: rowsLost.labels({ reason: "shutdown" }),
  };
  // From the start at zero, so that the first loss is seen as an increase.
  for (const counter of Object.values(lost)) counter.inc(0);

  return {
    committed: (rows, durationMs) => {
      commits.inc();
      rowsWritten.inc(rows);
      commitRows.observe(rows);
      commitDuration.observe(durationMs / 1_000);
    },
    retried: () => retries.inc(),
    lost: (rows, reason) => lost[reason].inc(rows),
  };
}
