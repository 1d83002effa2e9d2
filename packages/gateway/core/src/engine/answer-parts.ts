import type { AnswerUsage } from "@proj/model-apis";
import type { EngineTokens, VersionSpan } from "@proj/model-apis/tokens";

/** The parts of an answer that pauses of its engine have cut into several requests, but for the last one. */
export class AnswerParts {
  /** How many tokens were there each time the engine went on. */
  readonly resumed: number[] = [];
  #ids: number[] = [];
  #logprobs: number[] | null = [];
  #versions: VersionSpan[] | null = [];
  #cached = 0;
  #reasoning = 0;

  /** What has been sampled and kept. */
  get ids(): readonly number[] {
    return this.#ids;
  }

  /** @param length how many of the part's tokens the engine goes on behind */
  keep(part: EngineTokens, usage: AnswerUsage, length: number): void {
    const { completion_ids, logprobs, versions } = this.#behind(part);
    const all = this.#ids.length + length;
    this.#ids = Array.from(completion_ids ?? []).slice(0, all);
    this.#logprobs = logprobs === null ? null : Array.from(logprobs).slice(0, all);
    this.#versions =
      versions
        ?.filter(({ start }) => start < all)
        .map((span) => ({ ...span, end: Math.min(span.end, all) })) ?? null;
    if (this.resumed.length === 0) this.#cached = usage.cached_tokens;
    this.#reasoning += Math.min(usage.reasoning_tokens, length);
    this.resumed.push(all);
  }

  /** All tokens, with those of the last part. Its prompt has those before, too. */
  tokens(last: EngineTokens): EngineTokens {
    return this.resumed.length === 0 ? last : this.#behind(last);
  }

  /** All that is to be paid for once. */
  usage(last: AnswerUsage): AnswerUsage {
    if (this.resumed.length === 0) return last;
    const before = this.#ids.length;
    return {
      prompt_tokens: Math.max(0, last.prompt_tokens - before),
      cached_tokens: this.#cached,
      completion_tokens: before + last.completion_tokens,
      reasoning_tokens: this.#reasoning + last.reasoning_tokens,
    };
  }

  #behind({ prompt_ids, completion_ids, logprobs, versions }: EngineTokens): EngineTokens {
    const before = this.#ids.length;
    return {
      prompt_ids,
      completion_ids: [...this.#ids, ...Array.from(completion_ids ?? [])],
      logprobs:
        this.#logprobs === null || logprobs === null
          ? null
          : [...this.#logprobs, ...Array.from(logprobs)],
      versions:
        this.#versions === null || versions === null
          ? null
          : [
              ...this.#versions,
              ...versions.map(({ version, start, end }) => {
                return { version, start: start + before, end: end + before };
              }),
            ],
    };
  }
}
