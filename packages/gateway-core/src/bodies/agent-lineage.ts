import type { IncomingHttpHeaders } from "node:http";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";

/**
 * Which of several agents a request says that it is of. It is recorded and tells agents apart; nothing
 * that belongs to different agents is joined because of it.
 */
export interface AgentLineage {
  readonly session: string | null;
  readonly thread: string | null;
  /** Of a subagent; null: the agent itself. */
  readonly id: string | null;
  readonly parent: string | null;
  readonly kind: string | null;
  /** What the request is for, such as `turn`, `compaction` or `memory`. */
  readonly request_kind: string | null;
}

const longestValue = 256;

/** Null: the request says nothing of it. */
export function readLineage(headers: IncomingHttpHeaders): AgentLineage | null {
  const own = (name: string): string | null => textOf(headers[`x-gateway-agent${name}`]);
  const program = ofClaudeCode(headers) ?? ofCodex(headers) ?? ofOpencode(headers) ?? nothing;
  // The gateway's own headers win over what a program says by itself.
  const lineage: AgentLineage = {
    session: own("-session") ?? program.session,
    thread: own("-thread") ?? program.thread,
    id: own("") ?? program.id,
    parent: own("-parent") ?? program.parent,
    kind: own("-kind") ?? program.kind,
    request_kind: own("-request-kind") ?? program.request_kind,
  };
  return Object.values(lineage).some((value) => value !== null) ? lineage : null;
}

const nothing: AgentLineage = {
  session: null,
  thread: null,
  id: null,
  parent: null,
  kind: null,
  request_kind: null,
};

/** Names the agent on requests of subagents alone. */
function ofClaudeCode(headers: IncomingHttpHeaders): AgentLineage | null {
  const session = textOf(headers["x-claude-code-session-id"]);
  if (session === null) return null;
  const id = textOf(headers["x-claude-code-agent-id"]);
  const parent = id === null ? null : textOf(headers["x-claude-code-parent-agent-id"]);
  return { ...nothing, session, id, parent };
}

/** A thread is a subagent's where it names its parent and comes from another agent. */
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

/** A subagent has a session of its own, which names its parent's. */
function ofOpencode(headers: IncomingHttpHeaders): AgentLineage | null {
  const session = textOf(headers["x-session-id"]);
  if (session === null) return null;
  const parent = textOf(headers["x-parent-session-id"]);
  return { ...nothing, session, id: parent === null ? null : session, parent };
}

function parseObject(header: string | string[] | undefined): JsonObject {
  if (typeof header !== "string") return {};
  try {
    const value: unknown = JSON.parse(header);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

const textOf = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value.slice(0, longestValue) : null;
