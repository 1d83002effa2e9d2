import { isJsonObject, objectOf, parsedObject } from "@proj/model-apis/conversation";
import type { StoredRow } from "@proj/session-store";

export interface ReplayedFrom {
  readonly session_id: string;
  readonly step_id: number;
}

/** The call that a request names instead of repeating what was said. */
export interface Continued {
  /** Null: its row is not in the session. */
  readonly request_id: string | null;
  readonly by: "previous_response_id" | "conversation" | "thread";
}

/** The members of a row's `meta_json` that the page uses. */
export interface StepFacts {
  readonly endpoint: string | null;
  readonly outcome: string | null;
  readonly error: string | null;
  readonly finish_reason: string | null;
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  /** In nano-dollars; null: unknown. */
  readonly cost_nano_usd: number | null;
  readonly queue_ms: number;
  readonly ttft_ms: number | null;
  readonly upstream_ms: number | null;
  readonly started_at: string | null;
  readonly retry_of: number | null;
  /** The step of another session that the answer was taken from; null: the model answered. */
  readonly replayed_from: ReplayedFrom | null;
  /** The recorded step that a fork should have repeated here, and where it differs; null: it ended no replay. */
  readonly diverged: string | null;
  /** Which agent of the session asked; null: nothing says. */
  readonly agent: string | null;
  /** The id of a subagent; null: the main agent, or nothing says. */
  readonly agent_id: string | null;
  readonly agent_parent: string | null;
  /** Null: the request repeats what came before. */
  readonly continues: Continued | null;
  /** `partial`: earlier messages are in no row. `served`: the gateway sent them for the caller. */
  readonly history: string | null;
  /** Whether it was asked for a summary in place of the conversation. */
  readonly is_compaction: boolean;
  /** The rule that makes this a side call, which is not trained on; null: it is an ordinary call. */
  readonly side_call: string | null;
  readonly weight_version: string | null;
  readonly members: Readonly<Record<string, unknown>>;
}

const known = new WeakMap<StoredRow, StepFacts>();

export function factsOf(row: StoredRow): StepFacts {
  const facts = known.get(row) ?? readFacts(row.meta_json);
  known.set(row, facts);
  return facts;
}

function readFacts(meta_json: string): StepFacts {
  const members = parsedObject(meta_json);
  const text = (name: string): string | null => {
    const value = members[name];
    return typeof value === "string" ? value : null;
  };
  const number = (name: string): number | null => {
    const value = members[name];
    return typeof value === "number" ? value : null;
  };
  const agent = objectOf(members.agent);
  // A kind that every subagent has tells none apart.
  const id = agent.kind === "subagent" ? (agent.id ?? agent.kind) : (agent.kind ?? agent.id);
  const ofAgent = (name: string): string | null => {
    const value = agent[name];
    return typeof value === "string" ? value : null;
  };
  const request_kind = ofAgent("request_kind");
  return {
    endpoint: text("endpoint"),
    outcome: text("outcome"),
    error: text("error"),
    finish_reason: text("finish_reason"),
    prompt_tokens: number("prompt_tokens"),
    completion_tokens: number("completion_tokens"),
    cost_nano_usd: number("cost_nano_usd"),
    queue_ms: number("queue_ms") ?? 0,
    ttft_ms: number("ttft_ms"),
    upstream_ms: number("upstream_ms"),
    started_at: text("started_at"),
    retry_of: number("retry_of"),
    replayed_from: replayedFrom(members.replayed_from),
    diverged: text("diverged"),
    agent: typeof id === "string" ? id : null,
    agent_id: ofAgent("id"),
    agent_parent: ofAgent("parent"),
    continues: continuedBy(members.continues),
    history: text("history"),
    is_compaction: request_kind === "compaction" || members.endpoint === "compact",
    side_call: text("side_call") ?? (request_kind === "turn" ? null : request_kind),
    weight_version: text("weight_version"),
    members,
  };
}

function continuedBy(value: unknown): Continued | null {
  if (!isJsonObject(value)) return null;
  const { request_id, by } = value;
  const kinds = ["previous_response_id", "conversation", "thread"] as const;
  const kind = kinds.find((each) => each === by);
  if (kind === undefined) return null;
  return { request_id: typeof request_id === "string" ? request_id : null, by: kind };
}

function replayedFrom(value: unknown): ReplayedFrom | null {
  const { session_id, step_id } = objectOf(value);
  return typeof session_id === "string" && typeof step_id === "number"
    ? { session_id, step_id }
    : null;
}
