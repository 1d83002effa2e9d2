import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SimulationStartRequest } from "@proj/gateway-protocol";
import type { AgentCommandOptions } from "../runtime/agent-command.ts";
import { agentRequest } from "../runtime/agent-request.ts";
import type { AgentRuntime } from "../runtime/agent-runtime.ts";
import { commandRuntime } from "../runtime/command-runtime.ts";
import { RuntimeError } from "../runtime/runtime-error.ts";
import { cutOff } from "../simulation/truncation.ts";
import type { AttemptFolder } from "../workdir/attempt-folder.ts";
import { type AgentRecipe, callOf } from "./agent-recipe.ts";
import { type PromptedTask, readTask } from "./prompted-task.ts";

const maxAnswer = 64 * 1024;

/**
 * A program as a runtime: it works on the task in `env_params`, and succeeds if it exits with one of the recipe's codes
 * or its time limit ends it. Its folder holds its work; `metrics.answer` is its final answer.
 */
export function recipeRuntime(
  recipe: AgentRecipe,
  options: AgentCommandOptions = {},
): AgentRuntime {
  const description = `agent ${recipe.name}`;
  const { sandbox } = options;
  return {
    description,
    ...(sandbox?.abandon === undefined
      ? {}
      : { abandon: (session_id) => sandbox.abandon?.(session_id) ?? Promise.resolve() }),
    run: async (request, { folder, signal, traceparent }) => {
      if (folder === undefined) throw new TypeError(`${description} needs a folder`);
      const task = taskOf(request, description);
      const inside = agentRequest(request, options);
      const { command, env } = await prepare(recipe, inside, task, folder);
      const runtime = commandRuntime(asRuntimeCommand(command, recipe.exit_codes), {
        ...options,
        env: { ...env, ...options.env },
      });
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
        const answer = await folder.readFromHome(recipe.answer_file, maxAnswer, signal);
        return { ...result, metrics: { agent: recipe.name, answer: answer?.trim() ?? null } };
      } finally {
        clearTimeout(timer ?? undefined);
      }
    },
  };
}

const asRuntimeCommand = (command: string, codes: readonly number[]): string =>
  `(${command}\n) 1>&2\ncode=$?\ncase $code in ${codes.join("|")}) ;; *) exit $code ;; esac\necho '{"status":"completed"}'`;

function taskOf({ env_params }: SimulationStartRequest, description: string): PromptedTask {
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
  { prompt, files }: PromptedTask,
  folder: AttemptFolder,
) {
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
