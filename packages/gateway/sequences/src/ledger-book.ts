import type { Ledger, LedgerEntry, LossReason } from "./records/ledger.ts";
import type { Sequence, SplitReason } from "./records/sequence.ts";
import type { Step } from "./records/step.ts";

type Fate = Pick<LedgerEntry, "delivered" | "masked" | "reason" | "by">;

/** Accounts for every completion token. */
export class LedgerBook {
  /** Completion tokens of each step, ordered by time. */
  readonly #captured = new Map<string, number>();
  readonly #fates = new Map<string, Fate>();

  /** @throws TypeError two steps have the same id */
  constructor(steps: readonly Step[]) {
    for (const { id, completion_ids, replayed_from = null } of steps) {
      if (this.#captured.has(id))
        throw new TypeError(`two steps have the id ${JSON.stringify(id)}`);
      this.#captured.set(id, replayed_from === null ? (completion_ids?.length ?? 0) : 0);
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

  /** @param extensions how many steps continue an earlier one */
  close(sequences: readonly Sequence[], extensions: number): Ledger {
    const steps = [...this.#captured].map(([step, captured]): LedgerEntry => {
      const fate = this.#fates.get(step) ?? { delivered: 0, masked: 0, reason: null, by: null };
      return { step, captured, ...fate, dropped: captured - fate.delivered - fate.masked };
    });
    const sum = (of: "captured" | "delivered" | "masked" | "dropped"): number =>
      steps.reduce((total, entry) => total + entry[of], 0);
    const breaks_by_reason = countBreaks(sequences);
    const { first = 0, different_agent = 0, side_call = 0 } = breaks_by_reason;
    const breaks = Object.values(breaks_by_reason).reduce((total, count) => total + count, 0);
    const failed = breaks - first - different_agent - side_call;
    const [captured, delivered] = [sum("captured"), sum("delivered")];
    return {
      captured,
      delivered,
      masked: sum("masked"),
      dropped: sum("dropped"),
      delivered_fraction: captured === 0 ? 0 : delivered / captured,
      breaks_by_reason,
      prefix_extension_rate: extensions + failed === 0 ? 1 : extensions / (extensions + failed),
      steps,
    };
  }
}

/** A beginning shared by several sequences counts once. */
function countBreaks(sequences: readonly Sequence[]): Partial<Record<SplitReason, number>> {
  const counts: Partial<Record<SplitReason, number>> = {};
  for (const { reason } of new Set(sequences.map(({ split }) => split))) {
    counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}
