import type { SplitReason } from "./sequence.ts";

/** Why nothing of a step's completion is in any sequence, or why it is there but not trained on. */
export type LossReason =
  | "no_token_ids"
  | "logprobs_misaligned"
  | "empty_completion"
  | "aborted"
  | "truncated_capture"
  | "out_of_vocabulary"
  | "side_call"
  | "superseded_retry"
  | "unresolved_retry"
  | "trimmed"
  | "replayed";

/**
 * What became of one step. Counts are completion tokens: captured = delivered + masked + dropped. A step
 * that was replayed captured none: they are in the ledger of the session that they were sampled in.
 */
export interface LedgerEntry {
  readonly step: string;
  readonly captured: number;
  readonly delivered: number;
  readonly masked: number;
  readonly dropped: number;
  /** Null: all of it is delivered. */
  readonly reason: LossReason | null;
  /** The step that took a superseded one's place, the rule that made it a side call, or what was replayed. */
  readonly by: string | null;
}

/** What became of the tokens that the model produced. */
export interface Ledger {
  /** Completion tokens: captured = delivered + masked + dropped. */
  readonly captured: number;
  /** With loss mask 1 in exactly one sequence. */
  readonly delivered: number;
  /** Trimmed, or of a retry that could not be decided: counted, never trained on. */
  readonly masked: number;
  /** In no sequence. */
  readonly dropped: number;
  /** Of those captured; 0 where nothing was. */
  readonly delivered_fraction: number;
  /** How often a sequence began for each reason, `first` included. */
  readonly breaks_by_reason: Readonly<Partial<Record<SplitReason, number>>>;
  /** Of the steps that had an earlier one, those that went on from one; 1 where none had. */
  readonly prefix_extension_rate: number;
  /** In order of their beginning. */
  readonly steps: readonly LedgerEntry[];
}
