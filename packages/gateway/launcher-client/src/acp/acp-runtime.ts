import type { SimulationStartRequest } from "@proj/gateway-protocol";
import { SecretMask } from "@proj/gateway-protocol";
import { asFailure, failureText } from "../answer/answer-failure.ts";
import { traceVariables } from "../child-process/agent-environment.ts";
import { CommandOutput } from "../child-process/command-output.ts";
import type { Evaluator } from "../evaluator/evaluator.ts";
import type { SessionCaller } from "../gateway/chat-in-session.ts";
import type { AgentRecipe } from "../recipes/agent-recipe.ts";
import { prepareCall, taskOf } from "../recipes/prepare-call.ts";
import { type AgentCommandOptions, agentCommand } from "../runtime/agent-command.ts";
import { agentRequest } from "../runtime/agent-request.ts";
import type { AgentRuntime } from "../runtime/agent-runtime.ts";
import { RuntimeError } from "../runtime/runtime-error.ts";
import { cutOff } from "../simulation/truncation.ts";
import { AgentEvents } from "./agent-events.ts";
import type { AgentPlace } from "./agent-place.ts";
import { askEvaluator } from "./ask-evaluator.ts";
import { converse, type Ending } from "./converse.ts";
import { allowAll, type PermissionPolicy } from "./permission-policy.ts";
import { simulatedUser } from "./simulated-user.ts";

export interface AcpOptions extends AgentCommandOptions {
  /** @default everything is allowed: the sandbox holds the agent */
  readonly policy?: PermissionPolicy;
  /** Asked where the policy says so. @default none, and such tools are refused */
  readonly evaluator?: Evaluator | null;
  /** For users that are models. @default none */
  readonly caller?: SessionCaller | null;
}

/**
 * A program that speaks the Agent Client Protocol, as a runtime: it works on the task in `env_params`, turn by turn
 * where that has a `user`. `metrics.answer` is what it said last, and `metrics.events` what it told of its tools, plans
 * and permissions.
 * @throws TypeError the recipe has no command for the protocol, or its place is another machine
 */
export function acpRuntime(recipe: AgentRecipe, options: AcpOptions = {}): AgentRuntime {
  const { acp } = recipe;
  if (acp === null) throw new TypeError(`the recipe ${recipe.name} has no line \`acp\``);
  const description = `agent ${recipe.name} over ACP`;
  // It is talked with through its standard streams, which other machines do not pass on.
  if (options.sandbox?.isElsewhere) throw new TypeError(`${description} must run on this machine`);
  return {
    description,
    run: async (request, { folder, signal, traceparent, note }) => {
      if (folder === undefined) throw new TypeError(`${description} needs a folder`);
      const task = taskOf(request, description);
      const { env } = await prepareCall(recipe, agentRequest(request, options), task, folder);
      const paths = await folder.open();
      const place: AgentPlace = {
        cwd: options.cwd ?? paths.work,
        folders: [options.cwd ?? paths.work, paths.work, paths.home, paths.tmp],
        llm_base_url: request.llm_base_url,
        start: (script, variables) =>
          agentCommand(
            script,
            { ...options, env: { ...env, ...options.env } },
            folder,
            { ...variables, ...traceVariables(traceparent) },
            request.session_id,
          ),
      };
      const mask = new SecretMask([request.llm_api_key]);
      const events = new AgentEvents(mask);
      const metrics: Record<string, unknown> = {
        agent: recipe.name,
        answer: null,
        events: events.list,
      };
      note?.(metrics);
      const output = new CommandOutput(mask);
      const timeUp = new AbortController();
      const limitMs = task.time_limit_s === null ? null : task.time_limit_s * 1000;
      const timer = limitMs === null ? null : setTimeout(() => timeUp.abort(), limitMs);
      const { session_id } = request;
      try {
        await using user = simulatedUser(
          task.user,
          { session_id, prompt: task.prompt },
          options.caller ?? null,
        );
        const ending = await converse(acp, place, {
          ...{ prompt: task.prompt, user, events, output },
          policy: options.policy ?? allowAll,
          ask: askEvaluator(options.evaluator ?? null, request, folder, signal),
          graceMs: options.graceMs,
          answered: (answer) => Object.assign(metrics, { answer: mask.apply(answer.trim()) }),
          signal: AbortSignal.any([signal, timeUp.signal]),
        });
        return { ...resultOf(request, ending), metrics };
      } catch (error) {
        signal.throwIfAborted();
        if (timeUp.signal.aborted) return { ...cutOff(request, "time_limit"), metrics };
        const failure = asFailure(error, mask);
        throw new RuntimeError(`runtime_${failure.kind}`, failureText(description, failure), {
          last_output: failure.last_output ?? output.lastOutput(),
        });
      } finally {
        clearTimeout(timer ?? undefined);
        if (events.leftOut > 0) metrics.events_left_out = events.leftOut;
      }
    },
  };
}

/** The agent's own word for why its last turn ended. */
function resultOf(request: SimulationStartRequest, ending: Ending) {
  const whole = { ...cutOff(request, "agent"), truncated: false, truncated_by: null };
  if (ending === "max_tokens") return cutOff(request, "length");
  if (ending === "max_turn_requests") return cutOff(request, "agent");
  return { ...whole, terminated: true };
}
