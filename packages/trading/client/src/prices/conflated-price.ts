import type { Price } from "./price.ts";

/** A price for a reader that may be slower than the prices. */
export interface ConflatedPrice extends Price {
  /** Number of prices of this symbol skipped since the reader's last one. */
  readonly skipped: number;
}

/** Keeps the newest price of each symbol until it is taken. */
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

  /** Takes the price of the symbol that has waited longest. */
  take(): ConflatedPrice | undefined {
    for (const [symbol, { price, skipped }] of this.#waiting) {
      this.#waiting.delete(symbol);
      return { ...price, skipped };
    }
    return undefined;
  }
}
