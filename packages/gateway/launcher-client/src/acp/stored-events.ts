import { isJsonObject, type JsonObject, membersOf } from "../answer/answer.ts";
import type { AgentEvent } from "./agent-events.ts";

const kinds: readonly string[] = [
  "turn",
  "tool_call",
  "permission",
  "plan",
] satisfies AgentEvent["kind"][];

/**
 * What an agent told beside its model calls, from the result of its attempt.
 * @param result JSON; null: the attempt has none
 */
export function agentEventsOf(result: string | null): readonly AgentEvent[] {
  const { metrics } = membersOf(result ?? "{}");
  const { events }: JsonObject = isJsonObject(metrics) ? metrics : {};
  return Array.isArray(events) ? events.filter(isAgentEvent) : [];
}

/** Any runtime may have written something else under this name. */
const isAgentEvent = (event: unknown): event is AgentEvent =>
  isJsonObject(event) && kinds.includes(String(event.kind)) && typeof event.at === "string";
