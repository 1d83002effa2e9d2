import type { PriceUpdate } from "@proj/trading-protocol";
import type { TableChange } from "../engine/table-change.ts";

/** What a market tells; everything it tells is committed. */
export interface MarketListener {
  /** Every price, in order. */
  prices?(updates: readonly PriceUpdate[]): void;
  /** Every change of the tables, in order. */
  changes?(changes: readonly TableChange[]): void;
  /** The state can no longer be written, or the prices not be read: the market has stopped. */
  failed?(error: Error): void;
}

interface News {
  readonly prices: readonly PriceUpdate[];
  readonly changes: readonly TableChange[];
}

/** Tells listeners in the order in which things happened, also when one of them makes more happen. */
export class MarketNews {
  readonly #listeners = new Set<MarketListener>();
  readonly #waiting: News[] = [];
  #isTelling = false;

  /** @returns ends it */
  subscribe(listener: MarketListener): () => void {
    // An object of its own, so that one listener can be subscribed twice.
    const subscribed: MarketListener = {
      prices: (updates) => listener.prices?.(updates),
      changes: (changes) => listener.changes?.(changes),
      failed: (error) => listener.failed?.(error),
    };
    this.#listeners.add(subscribed);
    return () => {
      this.#listeners.delete(subscribed);
    };
  }

  tell(news: News): void {
    this.#waiting.push(news);
    if (this.#isTelling) return;
    this.#isTelling = true;
    try {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
        const { prices, changes } = next;
        for (const listener of [...this.#listeners]) {
          if (prices.length > 0) listener.prices?.(prices);
          if (changes.length > 0) listener.changes?.(changes);
        }
      }
    } finally {
      this.#isTelling = false;
    }
  }

  fail(error: Error): void {
    for (const listener of [...this.#listeners]) listener.failed?.(error);
  }
}
