import type { Agent, VersionSpan } from "./step.ts";

/**
 * The kind of a run of tokens: the first prompt; tokens that the environment added between two completions (tool
 * results, the template's own tokens); or tokens that the model produced.
 */
export type SpanKind = "prompt" | "environment" | "completion";

export interface Span {
  readonly kind: SpanKind;
  /** The step whose prompt or completion this is. */
  readonly step: string;
  /** Positions in `input_ids`, `end` exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Why a step does not continue the one before. */
export type SplitReason =
  | "first"
  | "sampled_again"
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

/** Why a sequence begins, or leaves the one that it shares its beginning with. */
export interface Split {
  readonly reason: SplitReason;
  /** The first step that no earlier sequence has. */
  readonly step: string;
  /** The step that it was compared with; null if there was none. */
  readonly compared_with: string | null;
  /** More detail: `billing_block`, the rule of a side call, the role of the rewritten message. */
  readonly detail: string | null;
  /** The first token that differs; null if unknown. */
  readonly at_token: number | null;
  /** The first message that differs; null if none does, or they were not captured. */
  readonly at_message: number | null;
  /** Up to eight ids of each side from `at_token` on: those of the earlier step, and those of this one. */
  readonly expected_ids: readonly number[];
  readonly got_ids: readonly number[];
}

/** Completion tokens that the next prompt did not repeat, usually a stop token. */
export interface Trim {
  readonly step: string;
  /** The position in `input_ids` where they would have been. */
  readonly at: number;
  readonly ids: readonly number[];
}

/**
 * A chain of model calls, each continuing the one before: exactly the tokens that the model saw and produced
 * in its last call.
 */
export interface Sequence {
  readonly input_ids: Int32Array;
  /** 1 for tokens to train on: every token the model produced, in one sequence only. */
  readonly loss_mask: Uint8Array;
  /** 0 where the mask is 0. Null if a trained step has none. Not shifted; see `shifted`. */
  readonly logprobs: Float64Array | null;
  /** Covers only completions, in positions of `input_ids`. */
  readonly versions: readonly VersionSpan[];
  readonly spans: readonly Span[];
  readonly trims: readonly Trim[];
  readonly agent: Agent | null;
  /** The rule that makes these side calls; null for the policy's own. */
  readonly side_call: string | null;
  readonly split: Split;
  /** Where it branches off an earlier sequence of the result; null if it does not. */
  readonly parent: { readonly sequence: number; readonly at: number } | null;
  /** Contains the simulation's last step. */
  readonly is_terminal: boolean;
  /** A token limit cut its last completion. */
  readonly is_truncated: boolean;
  /** Shared by all sequences of a rollout; baselines are per rollout. */
  readonly rollout_id: string | null;
}
