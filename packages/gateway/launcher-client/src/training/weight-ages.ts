import type { Sequence } from "@proj/sequences";

/** What a bound on the weights' age took from an export. Counts are tokens that would have been trained on. */
export interface StaleTokens {
  readonly masked: number;
  /** Their version has no number, or was not reported: they are kept. */
  readonly unknown: number;
}

/**
 * How old the weights of tokens are. Versions are counted by the last number in their names: `step-12` is two older
 * than `step-14`.
 */
export class WeightAges {
  readonly #maxStaleness: number;
  #newest = Number.NEGATIVE_INFINITY;
  #masked = 0;
  #unknown = 0;

  /** @param maxStaleness how many versions older than the newest known one tokens may be */
  constructor(maxStaleness: number) {
    this.#maxStaleness = maxStaleness;
  }

  get tokens(): StaleTokens {
    return { masked: this.#masked, unknown: this.#unknown };
  }

  /** Takes the versions of sequences for known. */
  learn(sequences: readonly Sequence[]): void {
    for (const { versions } of sequences)
      for (const { version } of versions)
        this.#newest = Math.max(this.#newest, numberOf(version) ?? this.#newest);
  }

  /** Masks tokens that are too old. A sequence of which nothing is left to train on is left out. */
  mask(sequences: readonly Sequence[]): readonly Sequence[] {
    return sequences.flatMap((sequence) => {
      const loss_mask = sequence.loss_mask.slice();
      const logprobs = sequence.logprobs?.slice() ?? null;
      let known = 0;
      for (const { version, start, end } of sequence.versions) {
        const number = numberOf(version);
        if (number === null) continue;
        const trained = count(loss_mask.subarray(start, end));
        known += trained;
        if (this.#newest - number <= this.#maxStaleness) continue;
        loss_mask.fill(0, start, end);
        logprobs?.fill(0, start, end);
        this.#masked += trained;
      }
      this.#unknown += count(sequence.loss_mask) - known;
      return loss_mask.includes(1) ? [{ ...sequence, loss_mask, logprobs }] : [];
    });
  }
}

const numberOf = (version: string): number | null => {
  const last = version.match(/\d+/g)?.at(-1);
  return last === undefined ? null : Number(last);
};

const count = (mask: Uint8Array): number => mask.reduce((sum, each) => sum + each, 0);
