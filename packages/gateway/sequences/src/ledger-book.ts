import type { Ledger, LedgerEntry, LossReason } from "./records/ledger.ts";
import type { Sequence, SplitReason } from "./records/sequence.ts";
import { type Step, sampledTokens } from "./records/step.ts";

type Fate = Pick<LedgerEntry, "delivered" | "masked" | "reason" | "by">;

/** Accounts for every completion token. */
export class LedgerBook {
  /** Completion tokens of each step, in order; null: unknown. */
  readonly #captured = new Map<string, number | null>();
  readonly #fates = new Map<string, Fate>();

  /** @throws TypeError two steps have the same id */
  constructor(steps: readonly Step[]) {
    for (const step of steps) {
      const { id, replayed_from = null } = step;
      if (this.#captured.has(id))
        throw new TypeError(`two steps have the id ${JSON.stringify(id)}`);
      this.#captured.set(id, replayed_from === null ? sampledTokens(step) : 0);
    }
  }

  drop(step: string, reason: LossReason, by: string | null = null): void {
    this.#fates.set(step, { delivered: 0, masked: 0, reason, by });
  }

  mask(step: string, reason: LossReason, by: string | null = null): void {
    const masked = this.#captured.get(step) ?? 0;
    this.#fates.set(step, { delivered: 0, masked, reason, by });
  }

  /** @param delivered number of tokens; those that the next prompt left out are masked */
  deliver(step: string, delivered: number): void {
    const masked = (this.#captured.get(step) ?? 0) - delivered;
    this.#fates.set(step, { delivered, masked, reason: masked > 0 ? "trimmed" : null, by: null });
  }

  /** @param extended how many steps of the sequences continue the one before */
  close(sequences: readonly Sequence[], extended: number): Ledger {
    const steps = [...this.#captured].map(([step, sampled]): LedgerEntry => {
      const fate = this.#fates.get(step) ?? { delivered: 0, masked: 0, reason: null, by: null };
      const captured = sampled ?? 0;
      const dropped = captured - fate.delivered - fate.masked;
      return { step, captured, is_count_known: sampled !== null, ...fate, dropped };
    });
    const sum = (of: "captured" | "delivered" | "masked" | "dropped"): number =>
      steps.reduce((total, entry) => total + entry[of], 0);
    const breaks_by_reason = countBreaks(sequences);
    const broken = sequences.filter(({ split }) => !beginnings.has(split.reason)).length;
    const extendable = extended + broken;
    const [captured, delivered] = [sum("captured"), sum("delivered")];
    return {
      captured,
      unknown_steps: steps.filter(({ is_count_known }) => !is_count_known).length,
      delivered,
      masked: sum("masked"),
      dropped: sum("dropped"),
      delivered_fraction: captured === 0 ? 0 : delivered / captured,
      breaks_by_reason,
      extendable,
      extended,
      prefix_extension_rate: extendable === 0 ? 1 : extended / extendable,
      steps,
    };
  }
}

/** Reasons of sequences that had nothing to continue. */
const beginnings: ReadonlySet<SplitReason> = new Set([
  "first",
  "sampled_again",
  "different_agent",
  "side_call",
]);

function countBreaks(sequences: readonly Sequence[]): Partial<Record<SplitReason, number>> {
  const counts: Partial<Record<SplitReason, number>> = {};
  for (const { split } of sequences) counts[split.reason] = (counts[split.reason] ?? 0) + 1;
  return counts;
}
