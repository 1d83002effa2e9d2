import type { Sequence, Span } from "@proj/sequences";

/** A span and what is known about its tokens. */
export interface SpanFigures {
  readonly span: Span;
  /** Tokens with loss mask 1. */
  readonly trained: number;
  /** Over the trained tokens; null: there are none, or the engine reported no logprobs. */
  readonly mean_logprob: number | null;
  readonly lowest_logprob: number | null;
  /** Weight versions; empty: unknown. */
  readonly versions: readonly string[];
}

export function figuresOf({ logprobs, loss_mask, versions, spans }: Sequence): SpanFigures[] {
  return spans.map((span) => {
    let trained = 0;
    let sum = 0;
    let lowest = 0;
    for (let at = span.start; at < span.end; at += 1) {
      if (loss_mask[at] !== 1) continue;
      trained += 1;
      const logprob = logprobs?.[at] ?? 0;
      sum += logprob;
      lowest = Math.min(lowest, logprob);
    }
    const hasLogprobs = logprobs !== null && trained > 0;
    const own = versions.filter(({ start, end }) => start < span.end && end > span.start);
    return {
      span,
      trained,
      mean_logprob: hasLogprobs ? sum / trained : null,
      lowest_logprob: hasLogprobs ? lowest : null,
      versions: [...new Set(own.map(({ version }) => version))],
    };
  });
}
