import type { CallOptions } from "../calls/call-options.ts";
import type { Caller } from "../calls/caller.ts";
import type { Call } from "../calls/sender.ts";
import type { Link } from "../connection/link.ts";
import { objectsOf } from "../reading/answer-fields.ts";
import { readPayload } from "../reading/payload.ts";
import { Reader } from "../waiting/reader.ts";
import { createTurns, type Turns } from "../waiting/turns.ts";
import { type ConflatedPrice, PriceConflation } from "./conflated-price.ts";
import { type Price, readPrice } from "./price.ts";

export interface PriceFeedOptions {
  readonly caller: Caller;
  readonly onPrice: (price: Price) => void;
  readonly onUnreadable: (error: Error) => void;
}

/** A consumer of a symbol's prices. */
interface Holder {
  put(price: Price): void;
}

interface SubscribedSymbol {
  latest: Price | null;
  readonly holders: Set<Holder>;
  readonly accept: (payload: unknown) => void;
}

type PairsCall = Call<readonly Price[]>;

/** Pushed prices. A symbol stays subscribed as long as it has a holder. */
export class PriceFeed {
  readonly #options: PriceFeedOptions;
  readonly #symbols = new Map<string, SubscribedSymbol>();
  readonly #readers = new Set<Reader<ConflatedPrice>>();
  readonly #turns: Turns = createTurns();
  /** Stands for all event listeners. */
  readonly #listeners: Holder = { put: () => undefined };

  constructor(options: PriceFeedOptions) {
    this.#options = options;
  }

  latest(symbol: string): Price | null {
    return this.#symbols.get(symbol)?.latest ?? null;
  }

  /** Subscribes for event listeners. @returns the current prices */
  async subscribe(symbols: readonly string[], options: CallOptions): Promise<readonly Price[]> {
    await this.#hold(symbols, this.#listeners, options);
    return symbols.flatMap((symbol) => this.latest(symbol) ?? []);
  }

  unsubscribe(symbols: readonly string[], options: CallOptions): Promise<void> {
    return this.#release(symbols, this.#listeners, options);
  }

  read(symbols: readonly string[], signal: AbortSignal | undefined): Reader<ConflatedPrice> {
    const waiting = new PriceConflation();
    const released = new AbortController();
    const release = (): void => {
      released.abort();
      this.#readers.delete(reader);
      // Unsubscribes in the background; prices that still arrive are ignored.
      this.#release(symbols, holder, {}).catch(() => undefined);
    };
    const reader = new Reader({ take: () => waiting.take(), release, signal });
    const holder: Holder = {
      put: (price) => {
        waiting.put(price);
        reader.wake();
      },
    };
    this.#readers.add(reader);
    this.#hold(symbols, holder, { signal: released.signal }).then(
      () => released.signal.aborted && release(),
      (error: unknown) => reader.end(error),
    );
    return reader;
  }

  /** Subscribes to everything again. */
  async renew(link: Link, signal: AbortSignal): Promise<void> {
    if (this.#symbols.size === 0) return;
    const call = pairsCall("/subscribe", [...this.#symbols.keys()]);
    for (const [symbol, { accept }] of this.#symbols) link.on(symbol, accept);
    this.#refresh(await this.#options.caller.send(call, () => link, signal));
  }

  /** Ends all readers. */
  end(error: Error | undefined): void {
    for (const reader of [...this.#readers]) reader.end(error);
  }

  #hold(symbols: readonly string[], holder: Holder, options: CallOptions): Promise<void> {
    const { caller } = this.#options;
    const call = pairsCall("/subscribe", symbols);
    return caller.within(call, options, (signal) =>
      this.#turns.take(signal, async () => {
        const joined = symbols.filter((symbol) => this.#join(symbol, holder));
        const missing = symbols.filter((symbol) => !this.#symbols.has(symbol));
        if (missing.length === 0) return;
        try {
          await this.#subscribe(missing, holder, signal);
        } catch (error) {
          void this.#release(joined, holder, {}).catch(() => undefined);
          throw error;
        }
      }),
    );
  }

  /** @returns whether the symbol was already subscribed and is new to this holder */
  #join(symbol: string, holder: Holder): boolean {
    const there = this.#symbols.get(symbol);
    if (there === undefined || there.holders.has(holder)) return false;
    there.holders.add(holder);
    if (there.latest !== null) holder.put(there.latest);
    return true;
  }

  async #subscribe(symbols: readonly string[], holder: Holder, signal: AbortSignal): Promise<void> {
    const { caller } = this.#options;
    const call = pairsCall("/subscribe", symbols);
    const added = new Map(symbols.map((symbol) => [symbol, this.#createSymbol()]));
    await caller.overOneLink(signal, async (link, linkSignal) => {
      try {
        for (const [symbol, { accept }] of added) link.on(symbol, accept);
        const prices = await caller.send(call, () => link, linkSignal);
        linkSignal.throwIfAborted();
        for (const [symbol, subscribed] of added) {
          subscribed.holders.add(holder);
          this.#symbols.set(symbol, subscribed);
        }
        this.#refresh(prices);
      } catch (error) {
        for (const symbol of symbols) link.off(symbol);
        throw error;
      }
    });
  }

  async #release(symbols: readonly string[], holder: Holder, options: CallOptions): Promise<void> {
    const { caller } = this.#options;
    const released = symbols.filter((symbol) => {
      const there = this.#symbols.get(symbol);
      there?.holders.delete(holder);
      if (there?.holders.size !== 0) return false;
      caller.connection.current?.off(symbol);
      return this.#symbols.delete(symbol);
    });
    if (released.length === 0) return;
    await caller.within(pairsCall("/unsubscribe", released), options, (signal) =>
      this.#turns.take(signal, async () => {
        const unheld = released.filter((symbol) => !this.#symbols.has(symbol));
        if (unheld.length > 0) await caller.call(pairsCall("/unsubscribe", unheld), { signal });
      }),
    );
  }

  #createSymbol(): SubscribedSymbol {
    const subscribed: SubscribedSymbol = {
      latest: null,
      holders: new Set(),
      accept: (payload) => {
        try {
          this.#put(subscribed, readPrice(readPayload(payload)));
        } catch (error) {
          this.#options.onUnreadable(error instanceof Error ? error : new Error(String(error)));
        }
      },
    };
    return subscribed;
  }

  /** Prices in an answer may be older than prices pushed meanwhile. */
  #refresh(prices: readonly Price[]): void {
    for (const price of prices) {
      const subscribed = this.#symbols.get(price.symbol);
      if (subscribed === undefined) continue;
      const { latest } = subscribed;
      const isNews =
        latest === null || price.time.epochMilliseconds > latest.time.epochMilliseconds;
      if (isNews) this.#put(subscribed, price);
    }
  }

  #put(subscribed: SubscribedSymbol, price: Price): void {
    subscribed.latest = price;
    for (const holder of subscribed.holders) holder.put(price);
    this.#options.onPrice(price);
  }
}

function pairsCall(path: "/subscribe" | "/unsubscribe", symbols: readonly string[]): PairsCall {
  return {
    method: "POST",
    path,
    fields: { pairs: symbols },
    isIdempotent: true,
    read: (answer) => (path === "/subscribe" ? objectsOf(answer, "pairs").map(readPrice) : []),
  };
}
