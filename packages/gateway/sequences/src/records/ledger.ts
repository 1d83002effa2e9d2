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
  | "trimmed"
  | "replayed";

/**
 * What became of one step. Counts are completion tokens: captured = delivered + masked + dropped. A replayed
 * step captured none: its tokens are in the ledger of the session that sampled them.
 */
export interface LedgerEntry {
  readonly step: string;
  /** What the model sampled, with or without ids; 0 if that is unknown. */
  readonly captured: number;
  /** False: neither ids nor a count say how much was sampled. */
  readonly is_count_known: boolean;
  readonly delivered: number;
  readonly masked: number;
  readonly dropped: number;
  /** Null if everything was delivered. */
  readonly reason: LossReason | null;
  /**
   * The step that superseded this one, the rule that made it a side call, the step that was replayed, or why there
   * are no token ids.
   */
  readonly by: string | null;
}

/** What became of the tokens that the model produced. */
export interface Ledger {
  /** All completion tokens that were sampled: captured = delivered + masked + dropped. */
  readonly captured: number;
  /** Steps that sampled nobody knows how much, and are in no count. */
  readonly unknown_steps: number;
  /** In exactly one sequence, with loss mask 1. */
  readonly delivered: number;
  /** In a sequence, but left out by the next prompt: counted, never trained on. */
  readonly masked: number;
  /** In no sequence. */
  readonly dropped: number;
  /** Fraction of the captured tokens; 0 if there were none. */
  readonly delivered_fraction: number;
  /** How many sequences began for each reason, including `first`; the sum is the number of sequences. */
  readonly breaks_by_reason: Readonly<Partial<Record<SplitReason, number>>>;
  /** Steps of sequences that had something to continue, and those of them that did. */
  readonly extendable: number;
  readonly extended: number;
  /** Extended divided by extendable; 1 if there were none. */
  readonly prefix_extension_rate: number;
  /** Ordered by start time. */
  readonly steps: readonly LedgerEntry[];
}
