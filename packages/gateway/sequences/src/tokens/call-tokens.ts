import { RollingHash } from "./rolling-hash.ts";

/** The tokens of one call: its prompt followed by its completion. */
export class CallTokens {
  readonly prompt: ArrayLike<number>;
  readonly completion: ArrayLike<number>;
  #promptHash: RollingHash | null = null;

  constructor(prompt: ArrayLike<number>, completion: ArrayLike<number>) {
    this.prompt = prompt;
    this.completion = completion;
  }

  /** A hash of the whole prompt, to be extended. */
  hashPrompt(): RollingHash {
    if (this.#promptHash === null) {
      this.#promptHash = new RollingHash();
      this.#promptHash.add(this.prompt, 0, this.prompt.length);
    }
    return this.#promptHash.copy();
  }

  get length(): number {
    return this.prompt.length + this.completion.length;
  }

  at(position: number): number | undefined {
    const { length } = this.prompt;
    return position < length ? this.prompt[position] : this.completion[position - length];
  }

  /** Ids from `start` up to, not including, `end`, as far as they exist. */
  slice(start: number, end: number): number[] {
    const ids: number[] = [];
    for (let at = Math.max(0, start); at < Math.min(end, this.length); at += 1) {
      ids.push(this.at(at) ?? 0);
    }
    return ids;
  }
}

/** The length of two calls' common beginning, looking only at the first `most` tokens. */
export function sharedTokens(one: CallTokens, other: CallTokens, most: number): number {
  let count = 0;
  while (count < most && one.at(count) === other.at(count)) count += 1;
  return count;
}
