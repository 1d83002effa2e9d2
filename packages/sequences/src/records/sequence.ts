import type { Agent, VersionSpan } from "./step.ts";

/**
 * What a run of tokens is: the first prompt; what the environment put between two completions (tool
 * results, the template's own tokens); or what the model produced.
 */
export type SpanKind = "prompt" | "environment" | "completion";

export interface Span {
  readonly kind: SpanKind;
  /** The step whose prompt or completion it is. */
  readonly step: string;
  /** Positions in `input_ids`, `end` not included. */
  readonly start: number;
  readonly end: number;
}

/** Why a step could not go on from an earlier one. */
export type SplitReason =
  | "first"
  | "different_agent"
  | "side_call"
  | "system_changed"
  | "tools_changed"
  | "truncated_parent"
  | "compacted"
  | "history_rewritten"
  | "tool_call_rerendered"
  | "thinking_stripped"
  | "retokenized"
  | "ambiguous_parent"
  | "version_changed";

/** Why a sequence begins where it does. */
export interface Split {
  readonly reason: SplitReason;
  /** The step that the sequence begins with. */
  readonly step: string;
  /** The earlier step it was compared with; null: there was none. */
  readonly compared_with: string | null;
  /** More precisely: `billing_block`, the rule of a side call, the role of the message rewritten. */
  readonly detail: string | null;
  /** The first token that differs; null: not known. */
  readonly at_token: number | null;
  /** The first message that differs; null: none does, or they were not captured. */
  readonly at_message: number | null;
  /** Up to eight ids on each side of `at_token`: those of the earlier step, and those of this one. */
  readonly expected_ids: readonly number[];
  readonly got_ids: readonly number[];
}

/** Completion tokens that the next prompt did not repeat: a stop token, as a rule. */
export interface Trim {
  readonly step: string;
  /** The position in `input_ids` where they would have been. */
  readonly at: number;
  readonly ids: readonly number[];
}

/**
 * A line of model calls, each going on from the one before: exactly the tokens that the model saw and
 * produced in its last call.
 */
export interface Sequence {
  readonly input_ids: Int32Array;
  /** 1 where a token is trained on: every token the model produced, in one sequence only. */
  readonly loss_mask: Uint8Array;
  /** 0 where the mask is 0. Null: a trained step has none. Not shifted; see `shifted`. */
  readonly logprobs: Float64Array | null;
  /** Of completions alone, in positions of `input_ids`. */
  readonly versions: readonly VersionSpan[];
  readonly spans: readonly Span[];
  readonly trims: readonly Trim[];
  readonly agent: Agent | null;
  /** The rule by which these are side calls; null: the policy's own. */
  readonly side_call: string | null;
  readonly split: Split;
  /** Where it branches off an earlier sequence of the result; null: it does not. */
  readonly parent: { readonly sequence: number; readonly at: number } | null;
  /** It holds the simulation's last step. */
  readonly is_terminal: boolean;
  /** Its last completion was cut by a token limit. */
  readonly is_truncated: boolean;
  /** Shared by all sequences of a rollout; baselines are per rollout. */
  readonly rollout_id: string | null;
}
