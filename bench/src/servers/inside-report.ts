/**
 * Loaded into a server before its own code. On SIGUSR2 it collects garbage if the server was started
 * with `--expose-gc`, in worker threads, too, and writes its measurements to the file that
 * `BENCH_REPORT_FILE` names.
 */
import { renameSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { BroadcastChannel, isMainThread } from "node:worker_threads";

/** The server's report. */
export interface InsideReport {
  readonly rss_mb: number;
  /** 99th percentile since the last report, including the sampling interval of 2 ms. */
  readonly loop_delay_p99_ms: number;
  readonly loop_delay_max_ms: number;
}

const LOOKS_EVERY_MS = 2;
/** Longest wait for a worker thread's collection. */
const WORKERS_COLLECT_MS = 500;

const file = process.env.BENCH_REPORT_FILE;
const channel = new BroadcastChannel("bench-collect");
channel.unref();

if (isMainThread && file !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: LOOKS_EVERY_MS });
  delays.enable();
  process.on("SIGUSR2", () => {
    const loop_delay_p99_ms = delays.percentile(99) / 1e6;
    const loop_delay_max_ms = delays.max / 1e6;
    if (globalThis.gc !== undefined) channel.postMessage("collect");
    setTimeout(() => {
      globalThis.gc?.();
      const rss_mb = process.memoryUsage.rss() / 1e6;
      const report: InsideReport = { rss_mb, loop_delay_p99_ms, loop_delay_max_ms };
      // A reader sees either no file or a complete one.
      writeFileSync(`${file}.part`, JSON.stringify(report));
      renameSync(`${file}.part`, file);
      delays.reset();
    }, WORKERS_COLLECT_MS);
  });
} else {
  channel.onmessage = () => globalThis.gc?.();
}
