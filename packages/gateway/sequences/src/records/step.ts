import type { VersionSpan } from "@proj/model-apis/tokens";

export type { VersionSpan };

/** The agent that made a call, as its program named it in headers. */
export interface Agent {
  readonly id: string;
  readonly parent: string | null;
  readonly kind: string | null;
}

/**
 * One model call of a session, as recorded by the gateway. Members that were not recorded are null.
 * `messages`, `answer` and `tools` are read only if tokens do not decide, so they may be getters.
 */
export interface Step {
  /** The step's name in the result. Must be unique among the given steps. */
  readonly id: string;
  readonly model: string;
  /** When the call was forwarded, in milliseconds of any single clock. */
  readonly started_at: number;
  /** When its answer ended, in milliseconds of the same clock. */
  readonly ended_at: number;
  /**
   * Where its row is among the session's, which decides what came before what; times decide only if a step has none,
   * since clocks may be set back, and those of two gateways differ. `began` counts the calls of its model as they
   * began, `ended` all calls as their answers ended.
   */
  readonly order?: { readonly began: number; readonly ended: number };
  /** 200 only if the answer was complete and delivered. */
  readonly status_code: number;
  /** The recorded answer was cut at a size limit. @default false */
  readonly is_capture_truncated?: boolean;
  /** The last step of the simulation. @default false */
  readonly is_terminal?: boolean;
  /** The simulation was cut off after it. @default false */
  readonly is_truncated?: boolean;

  /** Token ids as the engine reported them, never re-tokenized. */
  readonly prompt_ids: ArrayLike<number> | null;
  readonly completion_ids: ArrayLike<number> | null;
  /** How many tokens were sampled, where their ids are missing; null: unknown. @default null */
  readonly sampled_tokens?: number | null;
  /** Why ids are missing, for the ledger. @default null */
  readonly ids_missing?: string | null;
  /** One per completion id. */
  readonly logprobs: ArrayLike<number> | null;
  /** The engine's own spans, or one span with the version at dispatch. */
  readonly versions: readonly VersionSpan[] | null;
  readonly finish_reason: string | null;

  /** Parsed JSON; if the API keeps the system prompt apart, it is the first message. */
  readonly messages: readonly unknown[] | null;
  /** The model's answer, as messages that a later request would repeat. */
  readonly answer: readonly unknown[] | null;
  readonly tools: unknown;
  readonly response_id: string | null;
  readonly previous_response_id: string | null;
  /** Ids of the tool calls in the answer. */
  readonly tool_call_ids: readonly string[];

  readonly agent: Agent | null;
  /** The agent's own name for the kind of request: `turn`, `compaction`, `title`, … */
  readonly request_kind: string | null;
  /** The gateway's rule that set the call apart from the policy's own. */
  readonly side_call: string | null;
  /** The id of the step that this one retries. */
  readonly retry_of: string | null;
  /**
   * The step of another session that answered this one: nothing was sampled for this step, and the other session trains
   * on the answer. @default null
   */
  readonly replayed_from?: string | null;
}

/** How many tokens the model sampled for a step; null: unknown. */
export const sampledTokens = ({ completion_ids, sampled_tokens = null }: Step): number | null =>
  completion_ids !== null && completion_ids.length > 0
    ? completion_ids.length
    : (sampled_tokens ?? completion_ids?.length ?? null);
