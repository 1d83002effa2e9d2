import type { Price } from "./price.ts";

/** A price as a reader gets it, which may be slower than the prices come. */
export interface ConflatedPrice extends Price {
  /** How many prices of this symbol came since the reader's last one and were passed over. */
  readonly skipped: number;
}

/** Keeps the newest price of each symbol that was not taken yet. */
export class PriceConflation {
  readonly #waiting = new Map<string, { price: Price; skipped: number }>();

  put(price: Price): void {
    const waiting = this.#waiting.get(price.symbol);
    if (waiting === undefined) {
      this.#waiting.set(price.symbol, { price, skipped: 0 });
      return;
    }
    waiting.price = price;
    waiting.skipped += 1;
  }

  /** The one that has waited longest. */
  take(): ConflatedPrice | undefined {
    for (const [symbol, { price, skipped }] of this.#waiting) {
      this.#waiting.delete(symbol);
      return { ...price, skipped };
    }
    return undefined;
  }
}
