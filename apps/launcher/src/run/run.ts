import { dirname } from "node:path";
import { publicDbUrl } from "@proj/gateway-protocol";
import {
  type GatewayClient,
  keptFolders,
  preflight,
  readJobUsage,
  SimulationManager,
  temporaryFolders,
} from "@proj/launcher-client";
import { type Context, exitCode, Interruption } from "@proj/program";
import type { JobSummary } from "@proj/session-store";
import type { Gate } from "../report/gate.ts";
import { readJobFailures } from "../status/job-failures.ts";
import { jobText } from "../status/job-text.ts";
import { LaterStorage, storageOf } from "../storage.ts";
import { defaultDbPath } from "../storage-option.ts";
import { readTasks } from "../tasks/read-tasks.ts";
import { openTracing } from "../tracing/open-tracing.ts";
import { consoleUrl } from "./console-url.ts";
import { evaluatorOf } from "./evaluator-options.ts";
import { newJobId } from "./job-id.ts";
import { llmApiKeyOf } from "./key-options.ts";
import { gatewayOf, runtimeOf } from "./parts.ts";
import { reportRun } from "./report-run.ts";
import { requirePath } from "./require-path.ts";
import { createRunOutput } from "./run-output.ts";
import type { RunPlan } from "./run-plan.ts";
import { simulationsOf } from "./simulations-of.ts";
import { simulationsOfTasks, taskRuntimeOf } from "./task-parts.ts";

/** Runs a job to its end, or until signals stop it. @returns the exit code */
export async function runJob(plan: RunPlan, context: Context): Promise<number> {
  const gateway = gatewayOf(plan.options, plan.gatewayApiKey);
  const storage = new LaterStorage(plan.db_path);
  try {
    return await runThrough(plan, gateway, storage, context);
  } finally {
    gateway.end();
    await storage.close();
  }
}

async function runThrough(
  plan: RunPlan,
  gateway: GatewayClient,
  storage: LaterStorage,
  { signal, urgent, calledAs }: Context,
): Promise<number> {
  const { db_path, options } = plan;
  const { "llm-model": llm_model, summary, workdirs } = options;
  if (summary !== null) requirePath("summary", dirname(summary));
  const { storage_type } = storageOf(db_path);
  const evaluator = evaluatorOf(options);
  const { runtime, find } = await workOf(plan, gateway, signal);
  const job_id = options["job-id"] ?? newJobId();
  const output = createRunOutput(options.json, async () => (await storage.open()).readJob(job_id));
  const tracing = await openTracing(options["otlp-endpoint"], output.say);
  const ending = new AbortController();
  let manager: SimulationManager | null = null;
  const onFirst = (): void => {
    if (manager === null) {
      ending.abort();
      return;
    }
    manager.stop();
    const name = nameOf(signal);
    output.say(`${name}: no more simulations start; running ones finish (again: stop now)`);
  };
  const onSecond = (): void => {
    output.say(`${nameOf(urgent)}: stopping the running simulations; they go back to the job`);
    ending.abort();
  };
  signal.addEventListener("abort", onFirst);
  urgent.addEventListener("abort", onSecond);
  if (signal.aborted) ending.abort();
  try {
    const { missingForTraining, readiness } = await preflight({
      gateway,
      storage_type,
      db_url: db_path,
      readStorageId: async () => (await storage.open()).storage_id,
      llm_model,
      serviceGatewayConfig: plan.serviceGatewayConfig,
      requireTokens: options["require-tokens"],
      signal: ending.signal,
    });
    for (const missing of missingForTraining) output.say(`warning: ${missing}`);
    const store = await storage.open();
    const added = await find(store, job_id);
    manager = new SimulationManager({
      store,
      gateway,
      job_id,
      llm_model,
      runtime,
      evaluator,
      llmApiKey: llmApiKeyOf(plan),
      concurrency: options.concurrency,
      maxAttempts: options["max-attempts"],
      infrastructureAttempts: options["infrastructure-attempts"],
      evaluationAttempts: options["evaluation-attempts"],
      folders: workdirs === null ? temporaryFolders() : keptFolders(workdirs),
      heartbeatTimeoutMs: options["heartbeat-timeout"],
      timeouts: {
        simulationMs: options["simulation-timeout"],
        queueMs: options["queue-timeout"],
        evaluationMs: options["evaluation-timeout"],
        stopGraceMs: options["stop-grace"],
        closeMs: options["close-timeout"],
      },
      tracing: tracing.simulations,
      tell: output.tell,
    });
    if (plan.gatewayApiKey !== null && plan.sessionSecret === null) output.say(masterKey);
    output.say(`job ${job_id}: to continue it later, give --job-id ${job_id}`);
    if (readiness.console_path !== null)
      output.say(
        `console: ${consoleUrl(gateway.baseUrl, readiness.console_path)}#/jobs/${encodeURIComponent(job_id)}`,
      );
    await manager.add(added);
    const job = await manager.run(ending.signal);
    output.end();
    output.say(
      `\n${jobText(job, await readJobFailures(store, job_id), await readJobUsage(store, job_id))}${whatNext(job, db_path, calledAs)}`,
    );
    const asked = { signal: ending.signal, urgent, calledAs };
    return exitCodeOf(job, await reportRun(store, job_id, options, asked, output.say));
  } catch (error) {
    if (!ending.signal.aborted) throw error;
    output.say("interrupted");
    return exitCode.interrupted;
  } finally {
    output.end();
    await tracing.close();
    signal.removeEventListener("abort", onFirst);
    urgent.removeEventListener("abort", onSecond);
  }
}

/** What plays, and the simulations to add. */
async function workOf(plan: RunPlan, gateway: GatewayClient, signal: AbortSignal) {
  const { tasks: settings } = plan;
  if (settings?.tasks == null)
    return {
      runtime: await runtimeOf(plan, gateway, signal),
      find: await simulationsOf(plan),
    };
  const tasks = await readTasks(settings.tasks, settings["ignore-field"]);
  const runtime = await taskRuntimeOf(tasks, settings, plan, signal);
  return { runtime, find: async () => simulationsOfTasks(tasks, settings.times) };
}

const masterKey =
  "warning: every agent gets the gateway's own key, which opens every session; give the gateway's auth.session_secret with --session-secret-file or GATEWAY_SESSION_SECRET, and each gets a key to its own session";

const nameOf = ({ reason }: AbortSignal): string =>
  reason instanceof Interruption ? reason.signal : String(reason);

function exitCodeOf(
  { pending, running, failed, infrastructure }: JobSummary,
  gate: Gate | null,
): number {
  if (pending + running > 0) return exitCode.interrupted;
  if (gate !== null) return gate.failures.length > 0 ? exitCode.no : exitCode.done;
  return failed + infrastructure > 0 ? exitCode.no : exitCode.done;
}

/** Commands for the next steps. */
function whatNext(
  { job_id, pending, running, finished, failed, infrastructure }: JobSummary,
  db_path: string,
  launcher: string,
): string {
  const storage = db_path === defaultDbPath ? "" : ` --db-path ${publicDbUrl(db_path)}`;
  return [
    ...(pending + running > 0 ? [`to continue:    the same command with --job-id ${job_id}`] : []),
    ...(failed + infrastructure > 0 ? [`to look closer: ${launcher} show SESSION${storage}`] : []),
    ...(finished > 0 ? [`to train on:    ${launcher} export --job-id ${job_id}${storage}`] : []),
  ].join("\n");
}
