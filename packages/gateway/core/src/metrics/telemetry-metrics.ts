import type { Registry } from "prom-client";
import type { LossReason } from "../telemetry/recorder-observer.ts";
import { type CounterSeries, createCounter, createHistogram } from "./series.ts";

/** What is counted about rows on their way into storage. */
export interface TelemetryMetrics {
  /** A batch is durable. */
  committed(rows: number, durationMs: number): void;
  /** A batch could not be written and will be tried again. */
  retried(): void;
  lost(rows: number, reason: LossReason): void;
}

export function createTelemetryMetrics(registry: Registry): TelemetryMetrics {
  const commits = createCounter(registry, {
    name: "gateway_telemetry_commits_total",
    help: "Committed batches of rows.",
  })({});
  const commitDuration = createHistogram(registry, {
    name: "gateway_telemetry_commit_duration_seconds",
    help: "From handing a batch of rows to storage until it was durable.",
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  })({});
  const commitRows = createHistogram(registry, {
    name: "gateway_telemetry_commit_rows",
    help: "Rows in a committed batch.",
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
  })({});
  const rowsWritten = createCounter(registry, {
    name: "gateway_telemetry_rows_written_total",
    help: "Rows that are durable.",
  })({});
  const retries = createCounter(registry, {
    name: "gateway_telemetry_retries_total",
    help: "Attempts to write a batch that failed and are repeated.",
  })({});
  const rowsLost = createCounter(registry, {
    name: "gateway_telemetry_rows_lost_total",
    help: "Rows that will never be stored.",
  });
  const lost: Record<LossReason, CounterSeries> = {
    queue_full: rowsLost({ reason: "queue_full" }),
    refused: rowsLost({ reason: "refused" }),
    session_moved: rowsLost({ reason: "session_moved" }),
    shutdown: rowsLost({ reason: "shutdown" }),
  };

  return {
    committed: (rows, durationMs) => {
      commits.add(1);
      rowsWritten.add(rows);
      commitRows.observe(rows);
      commitDuration.observe(durationMs / 1_000);
    },
    retried: () => retries.add(1),
    lost: (rows, reason) => lost[reason].add(rows),
  };
}
