import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { firstMessage, portOf, startPinned } from "../machine/pinned-process.ts";
import { prepareMachine } from "../machine/prepare-machine.ts";
import { RESULTS_FOLDER, writeResults } from "../results.ts";
import { gatewayBoundRow } from "../servers/gateway-rows.ts";
import { startUpstream } from "../servers/upstream-row.ts";
import { median } from "../statistics.ts";
import { progress, verdict } from "../terminal/progress.ts";
import { textTable } from "../terminal/text-table.ts";
import type { LauncherRun, LauncherRunSpec } from "./launcher-protocol.ts";

export interface LauncherBenchOptions {
  /** The number of jobs; each has its own launcher. */
  readonly repetitions: number;
  readonly force: boolean;
}

/** The launcher's own CPU time for one simulation, in milliseconds. */
const BOUND_MS = 5;
const JOB = { simulations: 500, concurrency: 50, steps: 20 } as const;
const LAUNCHER = fileURLToPath(import.meta.resolve("./launcher-main.ts"));
const RUNTIME = fileURLToPath(import.meta.resolve("./runtime-main.ts"));

/** What a launcher costs; gateway, runtime and model are separate processes. */
export async function runLauncherBench(options: LauncherBenchOptions): Promise<number> {
  const machine = await prepareMachine(options.force);
  if (machine === null) return 2;
  const { server: cores, upstream: others } = machine.cores;
  const folder = mkdtempSync(join(RESULTS_FOLDER, "run-"));
  const removeFiles = (): void => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeFiles);
  const upstream = await startUpstream(others);
  const runs: LauncherRun[] = [];
  const stops = [upstream.stop];
  try {
    const gateway = await gatewayBoundRow.start({ upstream, cores: others, folder });
    stops.unshift(gateway.stop);
    const runtime = startPinned({
      cores: others,
      command: process.execPath,
      args: [RUNTIME],
      ipc: true,
    });
    stops.unshift(runtime.stop);
    const spec: LauncherRunSpec = {
      ...JOB,
      gateway_base_url: `http://127.0.0.1:${gateway.port}`,
      db_url: `sqlite://${join(folder, "gateway.db")}`,
      llm_model: "bench-model",
      runtime_url: `http://127.0.0.1:${await firstMessage(runtime, portOf)}`,
    };
    while (runs.length < options.repetitions) {
      const run = await launch(spec, cores);
      runs.push(run);
      progress(
        `job ${runs.length} of ${options.repetitions}: ${run.finished} finished in ${run.seconds.toFixed(1)} s`,
      );
    }
  } finally {
    for (const stop of stops) await stop();
    removeFiles();
  }
  const passed = tell(runs);
  const { description, loaded } = machine;
  writeResults("launcher", { machine: description, loaded_machine: loaded, ...JOB, runs }, null);
  return passed ? 0 : 1;
}

async function launch(spec: LauncherRunSpec, cores: string | null): Promise<LauncherRun> {
  const launcher = startPinned({
    cores,
    command: process.execPath,
    args: [...process.execArgv, LAUNCHER, JSON.stringify(spec)],
    ipc: true,
  });
  try {
    return (await firstMessage(launcher, (message) => message as { run: LauncherRun })).run;
  } finally {
    await launcher.stop();
  }
}

function tell(runs: readonly LauncherRun[]): boolean {
  const rows = runs.map((run, index) => [
    String(index + 1),
    `${run.finished}/${JOB.simulations}`,
    String(run.faults),
    run.seconds.toFixed(1),
    run.simulations_per_second.toFixed(0),
    run.p50_ms.toFixed(0),
    run.p99_ms.toFixed(0),
    run.cpu_ms_per_simulation.toFixed(2),
    run.start_cpu_ms.toFixed(0),
    run.peak_mb.toFixed(0),
  ]);
  const header = [
    "job",
    "finished",
    "faults",
    "seconds",
    "simulations/s",
    "p50 ms",
    "p99 ms",
    "CPU ms/simulation",
    "start CPU ms",
    "peak MB",
  ];
  console.log(`\n${textTable(header, rows)}`);
  const fault = runs.find(({ first_fault }) => first_fault !== null)?.first_fault;
  if (fault !== undefined) console.log(`\nfirst fault: ${fault}`);
  const isWhole = runs.every(
    ({ finished, faults }) => finished === JOB.simulations && faults === 0,
  );
  const cpu = median(runs.map(({ cpu_ms_per_simulation }) => cpu_ms_per_simulation));
  const { simulations, concurrency, steps } = JOB;
  const lines = [
    [
      `${simulations} simulations, ${concurrency} at once, ${steps} steps each: faults`,
      "none",
      isWhole ? "none" : "some",
      verdict(isWhole),
    ],
    [
      "launcher's own CPU per simulation, median (ms)",
      `< ${BOUND_MS}`,
      cpu.toFixed(2),
      verdict(cpu < BOUND_MS),
    ],
  ];
  console.log(`\n${textTable(["required", "bound", "measured", "verdict"], lines)}`);
  return isWhole && cpu < BOUND_MS;
}
