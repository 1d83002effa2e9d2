import { resolve } from "node:path";
import {
  type AgentRuntime,
  nopAgent,
  oracleAgent,
  recipeAgent,
  removeLeftContainers,
  type TaskAgent,
  type TaskFolder,
  TaskSite,
  taskRuntime,
} from "@proj/launcher-client";
import { UsageError } from "@proj/program";
import type { NewSimulation } from "@proj/session-store";
import type { TaskSettings } from "../tasks/task-options.ts";
import type { RunPlan } from "./run-plan.ts";

/** @throws UsageError the engine cannot be used here */
export async function taskRuntimeOf(
  tasks: readonly TaskFolder[],
  settings: TaskSettings,
  { runtime, options }: Pick<RunPlan, "runtime" | "options">,
  signal: AbortSignal,
): Promise<AgentRuntime> {
  const engine = [options.place, options["runtime-sandbox"]].includes("docker")
    ? "docker"
    : "podman";
  await removeLeftContainers(engine, signal).catch((error: Error) => {
    signal.throwIfAborted();
    throw new UsageError(`--tasks: ${error.message}`);
  });
  const site = new TaskSite({
    engine,
    readable: options["runtime-read"].map((path) => resolve(path)),
    starting: settings.starting,
    verifierSees: settings["verifier-sees"] ?? "work",
  });
  return taskRuntime(tasks, agentOf(runtime), site);
}

function agentOf(runtime: RunPlan["runtime"]): TaskAgent {
  if ("taskAgent" in runtime) return runtime.taskAgent === "nop" ? nopAgent : oracleAgent;
  if ("answer_file" in runtime) return recipeAgent(runtime);
  throw new UsageError("--tasks needs --agent or --agent-file");
}

/** One simulation of each task, or a group of several. */
export const simulationsOfTasks = (
  tasks: readonly TaskFolder[],
  times: number,
): readonly NewSimulation[] =>
  tasks.flatMap(({ name }) =>
    Array.from({ length: times }, (_, at) => ({
      simulation_id: times === 1 ? name : `${name}.${at + 1}`,
      env_name: name,
      env_params: null,
      group_id: times === 1 ? null : name,
    })),
  );
