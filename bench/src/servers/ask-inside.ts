import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { RESULTS_FOLDER } from "../results.ts";
import type { InsideReport } from "./inside-report.ts";
import type { RowContext } from "./server-row.ts";

const LONGEST_MS = 20_000;

/** How to start a server so that `askInside` can look into it. One server at a time. */
export function insideContext(
  collectable: boolean,
): Pick<RowContext, "preload" | "nodeOptions" | "environment"> {
  return {
    preload: [import.meta.resolve("./inside-report.ts")],
    nodeOptions: collectable ? ["--expose-gc"] : [],
    environment: { BENCH_REPORT_FILE: reportFile() },
  };
}

/** Asks the server for its own measurements and starts a new period of its event-loop delays. */
export async function askInside(pid: number): Promise<InsideReport> {
  rmSync(reportFile(), { force: true });
  process.kill(pid, "SIGUSR2");
  const deadline = Date.now() + LONGEST_MS;
  while (Date.now() < deadline) {
    await delay(50);
    try {
      const report = JSON.parse(readFileSync(reportFile(), "utf8")) as InsideReport;
      rmSync(reportFile(), { force: true });
      return report;
    } catch {
      // Not written yet.
    }
  }
  throw new Error(`the server (pid ${pid}) did not report what it sees from inside`);
}

function reportFile(): string {
  return join(RESULTS_FOLDER, `inside-${process.pid}.json`);
}
