import type { SplitReason } from "./sequence.ts";

/** Why a step's completion is in no sequence at all, or is in one but not trained on. */
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
 * What became of one step. Counts are completion tokens: captured = delivered + masked + dropped. A replayed
 * step captured none: its tokens are in the ledger of the session that sampled them.
 */
export interface LedgerEntry {
  readonly step: string;
  readonly captured: number;
  readonly delivered: number;
  readonly masked: number;
  readonly dropped: number;
  /** Null if everything was delivered. */
  readonly reason: LossReason | null;
  /** The step that superseded this one, the rule that made it a side call, or the step that was replayed. */
  readonly by: string | null;
}

/** What became of the tokens that the model produced. */
export interface Ledger {
  /** Completion tokens: captured = delivered + masked + dropped. */
  readonly captured: number;
  /** In exactly one sequence, with loss mask 1. */
  readonly delivered: number;
  /** Trimmed, or part of an undecided retry: counted, never trained on. */
  readonly masked: number;
  /** In no sequence. */
  readonly dropped: number;
  /** Fraction of the captured tokens; 0 if there were none. */
  readonly delivered_fraction: number;
  /** How many sequences began for each reason, including `first`. */
  readonly breaks_by_reason: Readonly<Partial<Record<SplitReason, number>>>;
  /** Of the steps with an earlier step, the fraction that continued one; 1 if there were none. */
  readonly prefix_extension_rate: number;
  /** Ordered by start time. */
  readonly steps: readonly LedgerEntry[];
}
