import type { MarketParts } from "./market-parts.ts";

/**
 * Lets trading end in symbols without further prices.
 * @returns those that are new
 */
export function endPrices({ source, engine, instruments }: MarketParts): readonly string[] {
  return instruments.flatMap(({ symbol }) =>
    source.hasEnded(symbol) && engine.endPrices(symbol, source.lastsMs) ? [symbol] : [],
  );
}
