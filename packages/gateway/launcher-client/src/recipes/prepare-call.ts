import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SimulationStartRequest } from "@proj/gateway-protocol";
import { RuntimeError } from "../runtime/runtime-error.ts";
import type { AttemptFolder } from "../workdir/attempt-folder.ts";
import { type AgentCall, type AgentRecipe, callOf } from "./agent-recipe.ts";
import { type PromptedTask, readTask } from "./prompted-task.ts";

/** @throws RuntimeError what is wrong with the task */
export function taskOf({ env_params }: SimulationStartRequest, description: string): PromptedTask {
  try {
    return readTask(env_params);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new RuntimeError("runtime_not_started", `${description}: ${error.message}`);
  }
}

/** Writes what a program needs into its folder; returns its variables and its command. */
export async function prepareCall(
  recipe: AgentRecipe,
  request: SimulationStartRequest,
  { prompt, files }: Pick<PromptedTask, "prompt" | "files">,
  folder: AttemptFolder,
): Promise<Pick<AgentCall, "env" | "command">> {
  const paths = await folder.open();
  const { home, work } = paths;
  const { files: configuration, env, command } = callOf(recipe, request, paths);
  await writeAll(home, { ...configuration, prompt });
  await writeAll(work, files);
  return { env, command };
}

async function writeAll(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}
