import type { EngineName } from "@proj/launcher-client";
import {
  type OptionSettings,
  oneOf,
  optional,
  type Refuse,
  readWithDefault,
  repeated,
  wholeNumber,
} from "@proj/program";
import type { ValuesOf } from "../options-of.ts";

const settings: OptionSettings = { group: "What runs" };

/** How Harbor's task folders are run. */
export const taskOptions = {
  tasks: optional("DIR", "a Harbor task folder, or a folder of them, instead of SIMULATIONS", {
    ...settings,
    completion: "files",
  }),
  times: readWithDefault(
    wholeNumber("N", "with --tasks: attempts at each task, which form a group", {
      ...settings,
      min: 1,
      max: 100_000,
    }),
    1,
  ),
  starting: readWithDefault(
    wholeNumber("N", "with --tasks: containers that may be built and started at once", {
      ...settings,
      min: 1,
      max: 1_000,
    }),
    4,
  ),
  "verifier-sees": oneOf(
    "WHAT",
    ["work", "whole"] as const,
    "with --tasks: a verifier in the agent's environment sees the agent's work outside the system's folders, or the whole of its files (work)",
    settings,
  ),
  "ignore-field": repeated(
    "FIELD",
    "a member of task.toml that may be disregarded, such as environment.storage_mb",
  ),
};

export type TaskSettings = ValuesOf<typeof taskOptions>;

export const engines: readonly EngineName[] = ["podman", "docker"];

/** Agents that come with every task. */
export const taskAgents = ["nop", "oracle"] as const;

export function checkTasks(
  options: TaskSettings & {
    readonly agent: string | null;
    readonly "agent-file": string | null;
    readonly "runtime-sandbox": string | null;
    readonly place: string | null;
  },
  refuse: Refuse,
): void {
  const { tasks, agent } = options;
  const isTaskAgent = taskAgents.some((name) => name === agent);
  if (tasks === null) {
    if (isTaskAgent) refuse(`--agent ${agent} needs --tasks`);
    return;
  }
  if (agent?.startsWith("acp:")) refuse("--tasks takes no agents over ACP yet: name a recipe");
  if (agent === null && options["agent-file"] === null)
    refuse("--tasks needs --agent or --agent-file");
  const engine = options["runtime-sandbox"];
  if (engine !== null && !engines.some((name) => name === engine))
    refuse("--tasks needs containers: --runtime-sandbox podman or docker");
  if (options.place !== null && engine !== null)
    refuse("--place and --runtime-sandbox exclude each other");
  if (options.place !== null && !engines.some((name) => name === options.place))
    refuse("--tasks needs containers of this machine: --place podman or docker");
}
