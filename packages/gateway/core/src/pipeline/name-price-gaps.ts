import { gapSentence, priceGaps } from "../prices/price-gaps.ts";
import type { CallObserver } from "./observe-call.ts";

/** An upstream names them: few enough to be remembered. */
const maxGaps = 1_024;

/** Says once for each route and part of a usage that the route's prices do not cover it. */
export function namePriceGaps(warn: (sentence: string) => void): CallObserver {
  const named = new Set<string>();
  return {
    ended: ({ route, timings, replayed }, _answer, facts) => {
      const { prices } = route.config;
      if (facts === null || prices.length === 0 || replayed !== null) return;
      if (facts.billed === undefined && (facts.cache_write_tokens ?? 0) === 0) return;
      for (const gap of priceGaps(prices, timings.startedAt, facts)) {
        const sentence = gapSentence(route.model, gap);
        if (named.has(sentence) || named.size >= maxGaps) continue;
        named.add(sentence);
        warn(sentence);
      }
    },
  };
}
