import type { PointsEvent } from "../events/event.ts";

/** All domains and retractions are in one stream. */
export const domainKey = "domain";
const retractionKey = "retract";

/** What an event is about: events of different streams meet only in the sum of an address. */
export function streamKey(event: PointsEvent): string {
  switch (event.type) {
    case "swap": {
      const pair = pairKey(event.tokenX, event.tokenY);
      return event.usdValue === undefined ? amountKey(pair, event.amountToken) : pair;
    }
    case "price":
      return priceKey(event.token);
    case "domain":
      return domainKey;
    case "retract":
      return retractionKey;
    default:
      return poolKey(event.pool);
  }
}

export const poolKey = (pool: string): string => `pool/${pool}`;

export const priceKey = (token: string): string => `price/${token}`;

/** The same in either direction. */
export function pairKey(tokenX: string, tokenY: string): string {
  return tokenX < tokenY ? `pair/${tokenX}/${tokenY}` : `pair/${tokenY}/${tokenX}`;
}

/** The stream of a pair's swaps sent as amounts of one of its tokens. @param pair its key */
export const amountKey = (pair: string, token: string): string =>
  `amount/${pair.slice("pair/".length)}/${token}`;

/** The tokens of a pair. @param pair its key */
export const tokensOf = (pair: string): readonly string[] => [...new Set(pair.split("/").slice(1))];
