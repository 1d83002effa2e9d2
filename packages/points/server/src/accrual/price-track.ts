import { unpacked } from "../bytes/packed-texts.ts";
import type { EventPage } from "../ledger/event-source.ts";
import { isYoungEnough, type Price, usdValueOf } from "./price.ts";

/** What a token was worth, asked in chronological order. Of several prices in the same second, the last one counts. */
export class PriceTrack {
  readonly #pages: AsyncIterator<EventPage>;
  #isRead = false;
  #current: Price | null = null;
  #ahead: Price[] = [];
  /** How many entries of `#ahead` were already passed. */
  #used = 0;

  /** @param pages of the token's price events */
  constructor(pages: AsyncIterable<EventPage>) {
    this.#pages = pages[Symbol.asyncIterator]();
  }

  /** Makes sure that the prices of all seconds up to `time` have been read. */
  async readUntil(time: number): Promise<void> {
    // All at once: each single removal would move all later entries.
    this.#ahead.splice(0, this.#used);
    this.#used = 0;
    while (!this.#isRead && (this.#ahead.at(-1)?.time ?? -1) <= time) {
      const { done, value } = await this.#pages.next();
      if (done === true) this.#isRead = true;
      else for (const price of pricesOf(value)) this.#ahead.push(price);
    }
  }

  /**
   * Millionths of a dollar, rounded down; null if there was no price, or only one that was too old.
   * @param time not earlier than in the previous call @param maxAge seconds
   */
  valueOf(amount: bigint, decimals: number, time: number, maxAge: number): bigint | null {
    for (;;) {
      const next = this.#ahead[this.#used];
      if (next === undefined || next.time > time) break;
      this.#current = next;
      this.#used += 1;
    }
    const price = this.#current;
    if (price === null || !isYoungEnough(price, time, maxAge)) return null;
    return usdValueOf(amount, decimals, price);
  }
}

function* pricesOf({ times, positions, amounts }: EventPage): Generator<Price> {
  const decimals = unpacked(positions);
  let index = 0;
  for (const amount of unpacked(amounts)) {
    const time = times[index++] ?? 0;
    yield { time, amount: BigInt(amount), decimals: Number(decimals.next().value) };
  }
}
