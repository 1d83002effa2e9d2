/** A tool as the agent told of it. Texts are cut after 4096 characters; times are ISO 8601 in UTC. */
export interface ToolCallEvent {
  readonly kind: "tool_call";
  readonly at: string;
  /** Null: it never said that the call had ended. */
  readonly ended_at: string | null;
  readonly id: string;
  readonly title: string;
  /** `read`, `edit`, `execute` and so on; null: it did not say. */
  readonly tool: string | null;
  readonly status: string;
  /** JSON; null: it did not say. */
  readonly input: string | null;
  readonly output: string | null;
  /** The files that it names. */
  readonly paths: readonly string[];
}

export interface PermissionEvent {
  readonly kind: "permission";
  readonly at: string;
  /** The tool call's. */
  readonly id: string;
  readonly title: string;
  readonly decision: "allow" | "deny";
  readonly by: "policy" | "evaluator";
}

export interface PlanEntry {
  readonly content: string;
  /** `pending`, `in_progress` or `completed`. */
  readonly status: string;
}

export interface PlanEvent {
  readonly kind: "plan";
  readonly at: string;
  readonly entries: readonly PlanEntry[];
}

/** A message to the agent, of the task or of its simulated user. */
export interface TurnEvent {
  readonly kind: "turn";
  readonly at: string;
  readonly text: string;
}

export type AgentEvent = ToolCallEvent | PermissionEvent | PlanEvent | TurnEvent;

/**
 * What an agent told beside its model calls, from the result of its attempt. Any runtime may have written something else
 * under this name, which is left out.
 * @param result JSON; null: the attempt has none
 */
export function readAgentEvents(result: string | null): readonly AgentEvent[] {
  const { metrics } = membersOf(parsed(result ?? "null"));
  const { events } = membersOf(metrics);
  return Array.isArray(events) ? events.filter(isAgentEvent) : [];
}

function isAgentEvent(event: unknown): event is AgentEvent {
  const { kind, at, id, title, ...others } = membersOf(event);
  if (!isText(at)) return false;
  switch (kind) {
    case "turn":
      return isText(others.text);
    case "plan":
      return Array.isArray(others.entries) && others.entries.every(isPlanEntry);
    case "permission":
      return (
        [id, title].every(isText) &&
        (others.decision === "allow" || others.decision === "deny") &&
        (others.by === "policy" || others.by === "evaluator")
      );
    case "tool_call": {
      const { ended_at, tool, status, input, output, paths } = others;
      return (
        [id, title, status].every(isText) &&
        [ended_at, tool, input, output].every((value) => value === null || isText(value)) &&
        Array.isArray(paths) &&
        paths.every(isText)
      );
    }
    default:
      return false;
  }
}

const isText = (value: unknown): value is string => typeof value === "string";

function isPlanEntry(entry: unknown): entry is PlanEntry {
  const { content, status } = membersOf(entry);
  return isText(content) && isText(status);
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {};

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
