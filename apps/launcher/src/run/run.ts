import { publicDbUrl } from "@proj/gateway-protocol";
import {
  type GatewayClient,
  preflight,
  readFailures,
  SimulationManager,
} from "@proj/launcher-client";
import type { JobStore, JobSummary } from "@proj/session-store";
import { defaultDbPath } from "../command-line/option-values.ts";
import type { RunOptions } from "../command-line/run-options.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { jobText } from "../status/job-text.ts";
import { LaterStorage, storageOf } from "../storage.ts";
import { EndSignals } from "./end-signals.ts";
import { newJobId } from "./job-id.ts";
import { evaluatorOf, gatewayOf, llmApiKeyOf, runtimeOf } from "./parts.ts";
import { readSimulations } from "./read-simulations.ts";
import { createRunOutput } from "./run-output.ts";

const interrupted = 130;

/** Runs a job to its end, or as far as signals let it. @returns the exit code */
export async function run(options: RunOptions): Promise<number> {
  const gateway = gatewayOf(options);
  const storage = new LaterStorage(options.db_path);
  try {
    return await runJob(options, gateway, storage);
  } finally {
    gateway.end();
    await storage.close();
  }
}

async function runJob(
  options: RunOptions,
  gateway: GatewayClient,
  storage: LaterStorage,
): Promise<number> {
  const { db_path, llm_model, simulations } = options;
  const { storage_type } = storageOf(db_path);
  const [runtime, evaluator] = [runtimeOf(options), evaluatorOf(options)];
  const added = simulations === null ? [] : await readSimulations(simulations);
  const job_id = options.job_id ?? newJobId();
  const output = createRunOutput(options.json, async () => (await storage.open()).readJob(job_id));
  const ending = new AbortController();
  let manager: SimulationManager | null = null;
  const signals = new EndSignals(
    (signal) => {
      if (manager === null) return ending.abort();
      manager.stop();
      output.say(`${signal}: no more are begun, what runs goes on to its end (again to stop now)`);
    },
    (signal) => {
      output.say(`${signal}: what runs is given back`);
      ending.abort();
    },
  );
  try {
    await preflight({
      gateway,
      storage_type,
      db_url: db_path,
      readStorageId: async () => (await storage.open()).storage_id,
      llm_model,
      serviceGatewayConfig: options.serviceGatewayConfig,
      signal: ending.signal,
    });
    const store = await storage.open();
    if (simulations === null) await requireJob(store, job_id, db_path);
    manager = new SimulationManager({
      store,
      gateway,
      job_id,
      llm_model,
      runtime,
      evaluator,
      llmApiKey: llmApiKeyOf(options),
      concurrency: options.concurrency,
      maxAttempts: options.maxAttempts,
      heartbeatTimeoutMs: options.heartbeatTimeoutMs,
      timeouts: options.timeouts,
      tell: output.tell,
    });
    output.say(`job ${job_id}: to go on with it later, give --job-id ${job_id}`);
    await manager.add(added);
    const job = await manager.run(ending.signal);
    output.end();
    output.say(`\n${jobText(job, await readFailures(store, job_id))}${whatNext(job, db_path)}`);
    return exitCode(job);
  } catch (error) {
    if (!ending.signal.aborted) throw error;
    output.say("interrupted");
    return interrupted;
  } finally {
    output.end();
    signals.end();
  }
}

/** @throws UsageError */
async function requireJob(store: JobStore, job_id: string, db_path: string): Promise<void> {
  if ((await store.readJob(job_id)) !== null) return;
  throw new UsageError(
    `job '${job_id}' is not in ${publicDbUrl(db_path)}: give a file of simulations to begin it`,
  );
}

function exitCode({ pending, running, failed }: JobSummary): number {
  if (pending + running > 0) return interrupted;
  return failed > 0 ? 1 : 0;
}

/** Commands to go on with. */
function whatNext(
  { job_id, pending, running, finished, failed }: JobSummary,
  db_path: string,
): string {
  const storage = db_path === defaultDbPath ? "" : ` --db-path ${publicDbUrl(db_path)}`;
  return [
    ...(pending + running > 0 ? [`to go on:       the same command with --job-id ${job_id}`] : []),
    ...(failed > 0 ? [`to look closer: launcher show SESSION${storage}`] : []),
    ...(finished > 0 ? [`to train on:    launcher export --job-id ${job_id}${storage}`] : []),
  ].join("\n");
}
