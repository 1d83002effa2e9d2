import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SimulationStartRequest } from "@proj/gateway-protocol";
import {
  type AgentCommandOptions,
  type AgentRuntime,
  type AttemptFolder,
  agentRequest,
  commandRuntime,
  cutOff,
  RuntimeError,
} from "@proj/launcher-client";
import { type AgentTask, readTask } from "./agent-task.ts";
import type { AgentRecipe } from "./recipe.ts";

const longestAnswer = 64 * 1024;

/**
 * A program from npm as a runtime: it works on the task in `env_params`, and succeeds if it exits with 0 or its time
 * limit ends it. Its folder holds its work; `metrics.answer` is its final answer.
 */
export function recipeRuntime(recipe: AgentRecipe, options: AgentCommandOptions): AgentRuntime {
  const description = `agent ${recipe.name}`;
  return {
    description,
    run: async (request, { folder, signal, traceparent }) => {
      if (folder === undefined) throw new TypeError(`${description} needs a folder`);
      const task = taskOf(request, description);
      const inside = agentRequest(request, options);
      const { command, env } = await prepare(recipe, inside, task, folder);
      const runtime = commandRuntime(
        `(${command}) 1>&2\ncode=$?\n[ $code -eq 0 ] || exit $code\necho '{"status":"completed"}'`,
        { ...options, env: { ...env, ...options.env } },
      );
      const timeUp = new AbortController();
      const limitMs = task.time_limit_s === null ? null : task.time_limit_s * 1000;
      const timer = limitMs === null ? null : setTimeout(() => timeUp.abort(), limitMs);
      try {
        const ending = AbortSignal.any([signal, timeUp.signal]);
        const result = await runtime
          .run(request, { folder, traceparent, signal: ending })
          .catch((error) => {
            if (signal.aborted || !timeUp.signal.aborted) throw error;
            return cutOff(request, "time_limit");
          });
        const answer = await folder.readFromHome("answer", longestAnswer, signal);
        return { ...result, metrics: { agent: recipe.name, answer: answer?.trim() ?? null } };
      } finally {
        clearTimeout(timer ?? undefined);
      }
    },
  };
}

function taskOf({ env_params }: SimulationStartRequest, description: string): AgentTask {
  try {
    return readTask(env_params);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new RuntimeError("runtime_not_started", `${description}: ${error.message}`);
  }
}

async function prepare(
  recipe: AgentRecipe,
  request: SimulationStartRequest,
  { prompt, files }: AgentTask,
  folder: AttemptFolder,
) {
  const paths = await folder.open();
  const { home, work } = paths;
  const { files: configuration, env, command } = recipe.call({ request, paths });
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
