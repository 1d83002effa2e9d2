import type { InstrumentEntry } from "@proj/trading-client/wire";
import type { MarketParts } from "./market-parts.ts";

/** The instruments in their order, and whether the Offer table shows them. */
export function instrumentEntries({
  instruments,
  engine,
}: Pick<MarketParts, "instruments" | "engine">): readonly InstrumentEntry[] {
  return instruments
    .toSorted((a, b) => a.sortOrder - b.sortOrder)
    .map(({ symbol, sortOrder }) => ({
      symbol,
      visible: engine.isVisible(symbol),
      order: sortOrder,
    }));
}
