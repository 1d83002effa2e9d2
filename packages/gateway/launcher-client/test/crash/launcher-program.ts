/**
 * A launcher for tests to kill: `launcher-program.ts OPTIONS`, with options as JSON. It prints its events as lines of
 * JSON, and `reached SESSION` when the watched attempt waits for its end.
 */
import { flushCompileCache } from "node:module";
import type { SimulationStartRequest } from "@proj/gateway-protocol";
import { openJobStore } from "@proj/session-store";
import {
  commandRuntime,
  createGatewayClient,
  functionRuntime,
  type GivenResult,
  type KubernetesOptions,
  kubernetes,
  SimulationManager,
  slurm,
} from "../../src/index.ts";
import { poll } from "../../src/poll.ts";
import { storageOf } from "../temporary-storage.ts";
import { takeTwoSteps } from "./agent.ts";
import { heldParts } from "./held-parts.ts";
import type { Phase } from "./phases.ts";

export interface LauncherOptions {
  readonly job_id: string;
  readonly gateway_base_url: string;
  readonly db_url: string;
  readonly llm_model: string;
  readonly heartbeatTimeoutMs: number;
  readonly concurrency: number;
  readonly hold: Phase | null;
  /** A command line, instead of an agent in this process. */
  readonly command: string | null;
  /** Where the command runs; null: here. */
  readonly place: "slurm" | KubernetesOptions | null;
  /** Whether agents wait until another launcher has joined the job. */
  readonly isShared: boolean;
}

const options: LauncherOptions = JSON.parse(process.argv[2] ?? "");
const { job_id, llm_model, hold, command, isShared, heartbeatTimeoutMs, concurrency } = options;
const store = await openJobStore(storageOf(options.db_url));
using gateway = createGatewayClient({ baseUrl: options.gateway_base_url });

async function play(request: SimulationStartRequest): Promise<GivenResult> {
  const bounds = { timeoutMs: 60_000, minDelayMs: 20, maxDelayMs: 20 };
  if (isShared) await poll(async () => ({ done: await hasOthers(), value: true }), bounds);
  return takeTwoSteps(request, hold);
}

async function hasOthers(): Promise<boolean> {
  const { environments } = await store.readEnvironments({ job_id });
  return new Set(environments.flatMap(({ owner }) => owner ?? [])).size > 1;
}

const sandboxOf = (place: "slurm" | KubernetesOptions) =>
  place === "slurm" ? slurm() : kubernetes(place);

const runtime =
  command === null
    ? functionRuntime(play)
    : commandRuntime(command, {
        sandbox: options.place === null ? null : sandboxOf(options.place),
      });
const parts = heldParts({ store, gateway, runtime, hold }, async (session_id) => {
  console.log(`reached ${session_id}`);
  await new Promise(() => {});
});
const manager = new SimulationManager({
  ...parts,
  ...{ job_id, llm_model, heartbeatTimeoutMs, concurrency },
  tell: (event) => console.log(JSON.stringify(event)),
});
flushCompileCache();
await manager.run();
await store.close();
