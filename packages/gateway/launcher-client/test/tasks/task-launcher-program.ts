/** A launcher of tasks for tests to kill: `task-launcher-program.ts OPTIONS`, with options as JSON. */
import { openJobStore } from "@proj/session-store";
import { resultEvaluator } from "../../src/evaluator/evaluators.ts";
import {
  createGatewayClient,
  oracleAgent,
  readTask,
  removeLeftContainers,
  SimulationManager,
  TaskSite,
  taskRuntime,
} from "../../src/index.ts";
import { type Phase, tellingPhases } from "../crash/phases.ts";
import { storageOf } from "../temporary-storage.ts";

export interface TaskLauncherOptions {
  readonly job_id: string;
  readonly gateway_base_url: string;
  readonly db_url: string;
  readonly llm_model: string;
  readonly heartbeatTimeoutMs: number;
  /** The folder of the one task. */
  readonly task: string;
  /** Where the first attempt waits for its end; null: nowhere. */
  readonly hold: Phase | null;
}

const options: TaskLauncherOptions = JSON.parse(process.argv[2] ?? "");
const { job_id, llm_model, heartbeatTimeoutMs } = options;
const store = await openJobStore(storageOf(options.db_url));
using gateway = createGatewayClient({ baseUrl: options.gateway_base_url });
const { task } = await readTask(options.task);
if (task === null) throw new Error("the task cannot be run");
await removeLeftContainers("podman", new AbortController().signal);
const parts = {
  ...{ store, gateway, evaluator: resultEvaluator },
  runtime: taskRuntime([task], oracleAgent, new TaskSite({ engine: "podman" })),
};
const held = tellingPhases(parts, async (phase, session_id) => {
  if (phase !== options.hold || (await store.readEnvironment(session_id))?.attempt !== 1) return;
  console.log(`reached ${phase}`);
  await new Promise(() => {});
});
const manager = new SimulationManager({
  ...held,
  ...{ job_id, llm_model, heartbeatTimeoutMs, concurrency: 1 },
  tell: (event) => console.log(JSON.stringify(event)),
});
await manager.run();
await store.close();
