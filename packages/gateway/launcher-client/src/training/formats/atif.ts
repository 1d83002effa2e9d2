import { readAgentEvents } from "@proj/gateway-protocol";
import type { UtterancePart } from "@proj/model-apis/conversation";
import { isJsonObject, type JsonObject } from "@proj/model-apis/json";
import type { RecordedStep } from "@proj/sequences/recorded";
import { type Conversation, readConversations, type Turn } from "../conversations.ts";
import { describeRollout, type Rollout } from "../rollout.ts";
import { argumentsOf } from "./arguments-of.ts";
import type { ExportFormat } from "./export-format.ts";
import { functionsOf } from "./functions-of.ts";
import { reasoningOf, textOf, toolCalls } from "./said.ts";

const schema_version = "ATIF-v1.7";

/** Agent Trajectory Interchange Format: one rollout per line, with its other conversations as subagents. */
export const atifFormat: ExportFormat = {
  name: "atif",
  summary: `a trajectory of ${schema_version} for each rollout, subagents inside it`,
  columns: [
    ...[
      "schema_version",
      "session_id",
      "trajectory_id",
      "agent",
      "steps",
      "final_metrics",
      "extra",
    ],
    "subagent_trajectories",
  ],
  needsHistory: true,
  *lines(rollout) {
    const all = readConversations(rollout.steps.values());
    const conversations = all.filter(({ turns }) => turns.length > 0);
    const main = mainConversation(conversations);
    if (main === undefined) return;
    const others = conversations.filter((conversation) => conversation !== main);
    const subagents = others.map((conversation) => trajectoryOf(conversation, rollout));
    yield {
      ...trajectoryOf(main, rollout),
      extra: extraOf(rollout),
      ...(subagents.length === 0 ? {} : { subagent_trajectories: subagents }),
    };
  },
};

/** What the agent told beside its model calls is of no step: tools may run between them, and beside each other. */
function extraOf(rollout: Rollout): JsonObject {
  const events = readAgentEvents(rollout.environment.result);
  return { ...describeRollout(rollout, 1), ...(events.length === 0 ? {} : { events }) };
}

/** The rewarded conversation, otherwise the longest of the policy's own. */
function mainConversation(conversations: readonly Conversation[]): Conversation | undefined {
  const own = conversations.filter(({ last }) => last.agent?.parent == null && !last.side_call);
  return (
    conversations.find(({ last }) => last.is_terminal) ??
    own.reduce<Conversation | undefined>(
      (longest, one) => (one.turns.length > (longest?.turns.length ?? 0) ? one : longest),
      undefined,
    ) ??
    conversations[0]
  );
}

function trajectoryOf({ turns, last }: Conversation, { environment }: Rollout): JsonObject {
  const tools = functionsOf(last.tools);
  const steps: JsonObject[] = [];
  for (const turn of turns) addTurn(steps, turn);
  const totals = turns.flatMap(({ step }) => (step === null ? [] : [step.usage]));
  const sum = (name: "prompt_tokens" | "completion_tokens"): number =>
    totals.reduce((total, usage) => total + (usage[name] ?? 0), 0);
  return {
    schema_version,
    session_id: environment.session_id,
    trajectory_id: `${environment.session_id}/${last.id}`,
    agent: {
      name: last.agent?.kind ?? environment.env_name ?? "agent",
      version: "unknown",
      model_name: last.model,
      ...(tools === null ? {} : { tool_definitions: tools }),
    },
    steps: steps.map((step, index) => ({ step_id: index + 1, ...step })),
    final_metrics: {
      total_prompt_tokens: sum("prompt_tokens"),
      total_completion_tokens: sum("completion_tokens"),
      total_steps: steps.length,
    },
  };
}

/** A tool's results belong to the step that called it. */
function addTurn(steps: JsonObject[], { utterances, step, isContext }: Turn): void {
  const parts = utterances.flatMap((utterance) => utterance.parts);
  const role = utterances[0]?.role ?? "user";
  const results = parts.filter((part) => part.kind === "tool_result");
  const message = textOf(parts);
  if (results.length > 0) addResults(steps, results);
  if (role === "assistant") steps.push(agentStep(parts, message, step, isContext));
  else if (message !== "" || results.length === 0) {
    steps.push({ source: role === "system" || role === "developer" ? "system" : "user", message });
  }
}

function agentStep(
  parts: readonly UtterancePart[],
  message: string,
  step: RecordedStep | null,
  isContext: boolean,
): JsonObject {
  const reasoning_content = reasoningOf(parts);
  const calls = toolCalls(parts).map(({ call_id, name, arguments: given }, index) => ({
    tool_call_id: call_id ?? `call-${index + 1}`,
    function_name: name,
    arguments: argumentsOf(given),
  }));
  return {
    source: "agent",
    message,
    ...(reasoning_content === null ? {} : { reasoning_content }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(step === null
      ? {}
      : {
          timestamp: new Date(step.started_at).toISOString(),
          model_name: step.model,
          metrics: metricsOf(step),
          ...(isContext ? { is_copied_context: true } : {}),
          llm_call_count: 1,
          extra: { step: step.id },
        }),
  };
}

function addResults(
  steps: readonly JsonObject[],
  results: readonly Extract<UtterancePart, { kind: "tool_result" }>[],
): void {
  for (const { call_id, text } of results) {
    const caller = steps.findLast(
      ({ tool_calls }) =>
        Array.isArray(tool_calls) && tool_calls.some((call) => call.tool_call_id === call_id),
    );
    if (caller === undefined) continue;
    const { observation } = caller;
    const before = isJsonObject(observation) ? observation.results : [];
    const all = [
      ...(Array.isArray(before) ? before : []),
      { source_call_id: call_id, content: text },
    ];
    Object.assign(caller, { observation: { results: all } });
  }
}

function metricsOf(step: RecordedStep): JsonObject {
  const lists = {
    prompt_token_ids: step.prompt_ids,
    completion_token_ids: step.completion_ids,
    logprobs: step.logprobs,
  };
  const known = Object.entries(lists).flatMap(([name, list]) =>
    list === null ? [] : [[name, Array.from(list)]],
  );
  return { ...step.usage, ...Object.fromEntries(known) };
}
