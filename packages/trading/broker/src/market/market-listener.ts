import type { PriceUpdate } from "@proj/trading-client/wire";
import type { TableChange } from "../engine/table-change.ts";

/** Listens to a market; everything it is called with has been committed. */
export interface MarketListener {
  /** Called with every price, in order. */
  prices?(updates: readonly PriceUpdate[]): void;
  /** Called with every table change, in order. */
  changes?(changes: readonly TableChange[]): void;
  /** These symbols have no more prices and can soon no longer be traded: their file has ended. */
  ended?(symbols: readonly string[]): void;
  /** The market has stopped: its state cannot be written or its prices cannot be read. */
  failed?(error: Error): void;
}

interface News {
  readonly prices: readonly PriceUpdate[];
  readonly changes: readonly TableChange[];
}

/** Calls listeners in order of events, even when a listener causes further events. */
export class MarketNews {
  readonly #listeners = new Set<MarketListener>();
  readonly #waiting: News[] = [];
  #isTelling = false;

  /** @returns a function that unsubscribes */
  subscribe(listener: MarketListener): () => void {
    // A new object, so that a listener can subscribe twice.
    const subscribed: MarketListener = {
      prices: (updates) => listener.prices?.(updates),
      changes: (changes) => listener.changes?.(changes),
      ended: (symbols) => listener.ended?.(symbols),
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

  end(symbols: readonly string[]): void {
    if (symbols.length === 0) return;
    for (const listener of [...this.#listeners]) listener.ended?.(symbols);
  }

  fail(error: Error): void {
    for (const listener of [...this.#listeners]) listener.failed?.(error);
  }
}
