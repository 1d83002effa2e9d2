import type { VersionSpan } from "@proj/model-apis/tokens";

/**
 * Which weights sampled which tokens, for engines that do not say: those that the route had when the tokens came. An
 * engine that is paused while its weights change has sent all tokens of the old ones before the route is resumed.
 */
export class WeightSpans {
  readonly #current: () => string | null;
  /** Where each version begins; of a null one nothing is known. */
  readonly #starts: { readonly version: string | null; readonly start: number }[];

  constructor(current: () => string | null) {
    this.#current = current;
    this.#starts = [{ version: current(), start: 0 }];
  }

  /** @param sampled how many tokens came before those that come now */
  note(sampled: number): void {
    const version = this.#current();
    if (version !== this.#starts.at(-1)?.version) this.#starts.push({ version, start: sampled });
  }

  /** Forgets the tokens behind the first ones: they are sampled again. */
  cut(length: number): void {
    while ((this.#starts.at(-1)?.start ?? 0) > length) this.#starts.pop();
  }

  /** Null: the weights did not change. */
  spans(length: number): readonly VersionSpan[] | null {
    if (this.#starts.length === 1) return null;
    return this.#starts.flatMap(({ version, start }, at) => {
      const end = this.#starts[at + 1]?.start ?? length;
      return version === null || end === start ? [] : [{ version, start, end }];
    });
  }
}
