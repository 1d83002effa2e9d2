/**
 * A child process of the bench: runs one job like `launcher run`, with the runtime behind HTTP, and
 * reports its cost. It gets its `LauncherRunSpec` as JSON.
 */
import { randomUUID } from "node:crypto";
import {
  createGatewayClient,
  httpRuntime,
  resultEvaluator,
  SimulationManager,
} from "@proj/launcher-client";
import { openJobStore } from "@proj/session-store";
import { peakMemoryMb } from "../machine/process-figures.ts";
import { quantileOfSorted } from "../statistics.ts";
import type { LauncherRun, LauncherRunSpec } from "./launcher-protocol.ts";

const EXPECTED = new Set(["job_started", "simulation_started", "simulation_finished", "job_ended"]);

const spec: LauncherRunSpec = JSON.parse(process.argv[2] ?? "");
const { db_url, llm_model, concurrency } = spec;
const store = await openJobStore({ storage_type: "sqlite", storage_config: { db_url } });
const gateway = createGatewayClient({ baseUrl: spec.gateway_base_url });
const durations: number[] = [];
const faults: string[] = [];
const manager = new SimulationManager({
  ...{ store, gateway, llm_model, concurrency },
  job_id: randomUUID(),
  runtime: httpRuntime(spec.runtime_url),
  evaluator: resultEvaluator,
  tell: (event) => {
    if (event.event === "simulation_finished") durations.push(event.duration_ms);
    if (!EXPECTED.has(event.event)) faults.push(JSON.stringify(event));
  },
});

const begunAt = performance.now();
const atBegin = process.cpuUsage();
await manager.add(
  Array.from({ length: spec.simulations }, (_, index) => ({
    simulation_id: `simulation-${index}`,
    env_name: "bench",
    env_params: JSON.stringify({ steps: spec.steps }),
    group_id: null,
  })),
);
const job = await manager.run();
const used = process.cpuUsage(atBegin);
const seconds = (performance.now() - begunAt) / 1000;

const ascending = durations.toSorted((a, b) => a - b);
const run: LauncherRun = {
  finished: job.finished,
  failed: job.failed,
  interrupted_attempts: job.interrupted_attempts,
  faults: faults.length,
  first_fault: faults[0] ?? null,
  seconds,
  simulations_per_second: spec.simulations / seconds,
  p50_ms: quantileOfSorted(ascending, 0.5),
  p99_ms: quantileOfSorted(ascending, 0.99),
  cpu_ms_per_simulation: milliseconds(used) / spec.simulations,
  start_cpu_ms: milliseconds(atBegin),
  peak_mb: peakMemoryMb(process.pid),
};
gateway.end();
await store.close();
process.send?.({ run });
process.disconnect?.();

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}
