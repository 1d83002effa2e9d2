import { resolve } from "node:path";
import {
  type AgentRecipe,
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
import type { TaskSettings } from "./task-options.ts";

/** What a run of tasks takes of its options. */
export interface TaskRun {
  readonly runtime: AgentRecipe | { readonly taskAgent: "nop" | "oracle" } | object;
  readonly agent: {
    readonly "runtime-sandbox": string | null;
    readonly place: string | null;
    readonly "runtime-read": readonly string[];
  };
}

/** @throws UsageError the engine cannot be used here */
export async function taskRuntimeOf(
  tasks: readonly TaskFolder[],
  settings: TaskSettings,
  { runtime, agent }: TaskRun,
  signal: AbortSignal,
): Promise<AgentRuntime> {
  const engine = [agent.place, agent["runtime-sandbox"]].includes("docker") ? "docker" : "podman";
  await removeLeftContainers(engine, signal).catch((error: Error) => {
    signal.throwIfAborted();
    throw new UsageError(`--tasks: ${error.message}`);
  });
  const site = new TaskSite({
    engine,
    readable: agent["runtime-read"].map((path) => resolve(path)),
    starting: settings.starting,
    verifierSees: settings["verifier-sees"] ?? "work",
  });
  return taskRuntime(tasks, agentOf(runtime), site);
}

function agentOf(runtime: TaskRun["runtime"]): TaskAgent {
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
