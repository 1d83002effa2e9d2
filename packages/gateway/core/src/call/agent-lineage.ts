import type { IncomingHttpHeaders } from "node:http";
import { type JsonObject, parsedObject } from "@proj/model-apis/json";

/**
 * Which of several agents a request says it comes from. Recorded to tell agents apart, and never used to join
 * what belongs to different agents.
 */
export interface AgentLineage {
  readonly session: string | null;
  readonly thread: string | null;
  /** The subagent's id; null for the agent itself. */
  readonly id: string | null;
  readonly parent: string | null;
  readonly kind: string | null;
  /** The request's purpose, such as `turn`, `compaction` or `memory`. */
  readonly request_kind: string | null;
}

const maxValue = 256;

/** Returns null if the request says nothing about its agent. */
export function readLineage(headers: IncomingHttpHeaders): AgentLineage | null {
  const program = ofClaudeCode(headers) ?? ofCodex(headers) ?? ofOpencode(headers) ?? nothing;
  // The gateway's own headers win over what a program sends by itself.
  const lineage: AgentLineage = {
    session: textOf(headers["x-gateway-agent-session"]) ?? program.session,
    thread: textOf(headers["x-gateway-agent-thread"]) ?? program.thread,
    id: textOf(headers["x-gateway-agent"]) ?? program.id,
    parent: textOf(headers["x-gateway-agent-parent"]) ?? program.parent,
    kind: textOf(headers["x-gateway-agent-kind"]) ?? program.kind,
    request_kind: textOf(headers["x-gateway-agent-request-kind"]) ?? program.request_kind,
  };
  const { session, thread, id, parent, kind, request_kind } = lineage;
  return (session ?? thread ?? id ?? parent ?? kind ?? request_kind) === null ? null : lineage;
}

const nothing: AgentLineage = {
  session: null,
  thread: null,
  id: null,
  parent: null,
  kind: null,
  request_kind: null,
};

/** Claude Code names the agent only on requests of subagents. */
function ofClaudeCode(headers: IncomingHttpHeaders): AgentLineage | null {
  const session = textOf(headers["x-claude-code-session-id"]);
  if (session === null) return null;
  const id = textOf(headers["x-claude-code-agent-id"]);
  const parent = id === null ? null : textOf(headers["x-claude-code-parent-agent-id"]);
  return { ...nothing, session, id, parent };
}

/** A thread belongs to a subagent if it names a parent and comes from another agent. */
function ofCodex(headers: IncomingHttpHeaders): AgentLineage | null {
  const turn = parseObject(headers["x-codex-turn-metadata"]);
  const session = textOf(turn.session_id) ?? textOf(headers["session-id"]);
  if (session === null) return null;
  const thread = textOf(turn.thread_id) ?? textOf(headers["thread-id"]);
  const parent = textOf(turn.parent_thread_id) ?? textOf(headers["x-codex-parent-thread-id"]);
  const kind = textOf(turn.subagent_kind) ?? textOf(headers["x-openai-subagent"]);
  const isSubagent = parent !== null && (kind !== null || turn.thread_source === "subagent");
  return {
    session,
    thread,
    id: isSubagent ? thread : null,
    parent: isSubagent ? parent : null,
    kind,
    request_kind: textOf(turn.request_kind),
  };
}

/** A subagent has a session of its own, which names its parent session. */
function ofOpencode(headers: IncomingHttpHeaders): AgentLineage | null {
  const session = textOf(headers["x-session-id"]);
  if (session === null) return null;
  const parent = textOf(headers["x-parent-session-id"]);
  return { ...nothing, session, id: parent === null ? null : session, parent };
}

const parseObject = (header: string | string[] | undefined): JsonObject =>
  typeof header === "string" ? parsedObject(header) : {};

const textOf = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value.slice(0, maxValue) : null;
