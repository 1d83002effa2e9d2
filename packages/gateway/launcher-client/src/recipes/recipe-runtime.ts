import { shellQuote } from "../child-process/shell-quote.ts";
import type { AgentCommandOptions } from "../runtime/agent-command.ts";
import { agentRequest } from "../runtime/agent-request.ts";
import type { AgentRuntime } from "../runtime/agent-runtime.ts";
import { commandRuntime } from "../runtime/command-runtime.ts";
import { RuntimeError } from "../runtime/runtime-error.ts";
import { placedIn } from "../sandbox/sandbox.ts";
import { cutOff } from "../simulation/truncation.ts";
import type { AgentRecipe } from "./agent-recipe.ts";
import { prepareCall, taskOf } from "./prepare-call.ts";

const needsTurns = "env_params.user needs an agent over ACP, because a command has one turn";
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
  return {
    description,
    ...placedIn(options.sandbox),
    run: async (request, { folder, signal, traceparent, begun }) => {
      if (folder === undefined) throw new TypeError(`${description} needs a folder`);
      const task = taskOf(request, description);
      if (task.user !== null)
        throw new RuntimeError("runtime_not_started", `${description}: ${needsTurns}`);
      const inside = agentRequest(request, options);
      const { command, env } = await prepareCall(recipe, inside, task, folder);
      const withEnv = { ...options, env: { ...env, ...options.env } };
      const runtime = commandRuntime(asRuntimeCommand(command, recipe), withEnv, description);
      const timeUp = new AbortController();
      const limitMs = task.time_limit_s === null ? null : task.time_limit_s * 1000;
      let timer: NodeJS.Timeout | undefined;
      const start = (): void => {
        if (limitMs !== null) timer = setTimeout(() => timeUp.abort(), limitMs);
        begun?.();
      };
      const { isQueued = false } = runtime;
      try {
        if (!isQueued) start();
        const ending = AbortSignal.any([signal, timeUp.signal]);
        const result = await runtime
          .run(request, {
            folder,
            traceparent,
            signal: ending,
            begun: isQueued ? start : undefined,
          })
          .catch((error) => {
            if (signal.aborted || !timeUp.signal.aborted) throw error;
            return cutOff(request, "time_limit");
          });
        const answer = await folder.readFromHome(recipe.answer_file, maxAnswer, signal);
        return { ...result, metrics: { agent: recipe.name, answer: answer?.trim() ?? null } };
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function asRuntimeCommand(command: string, { install, exit_codes }: AgentRecipe): string {
  const get = install === null ? "" : `: get it with ${install}`;
  // A shell's code for a program that it did not find.
  const missing = `127) echo ${shellQuote(`a program is missing where the agent runs${get}`)} >&2; exit 127 ;;`;
  return `(${command}\n) 1>&2\ncode=$?\ncase $code in ${exit_codes.join("|")}) ;; ${missing} *) exit $code ;; esac\necho '{"status":"completed"}'`;
}
