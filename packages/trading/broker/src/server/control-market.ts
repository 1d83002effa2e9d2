import { RefusalError, refuse } from "../engine/refusal.ts";
import type { PaperMarket } from "../market/paper-market.ts";
import type { FormReader } from "../wire/form-reader.ts";
import { pushText } from "../wire/push-text.ts";
import type { Connection } from "./connection.ts";
import type { Connections } from "./connections.ts";

/** The state of a market that moves on demand. */
export interface MarketTime {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** There are no more prices. */
  readonly is_over: boolean;
}

/** Prices between two looks at the connections; fewer than a connection queues before it conflates them. */
const pricesPerPart = 512;
/** How long a connection may take to be sent the prices of a part. */
const flushTimeoutMs = 30_000;
/** Most requests that wait for their turn. */
const maxWaiting = 64;

/** Moves a market of speed 0 for clients, one request at a time. */
export class MarketControl {
  readonly #market: PaperMarket;
  readonly #connections: Connections;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(market: PaperMarket, connections: Connections) {
    this.#market = market;
    this.#connections = connections;
  }

  get time(): MarketTime {
    return { now: this.#market.now, is_over: this.#market.isOver };
  }

  /**
   * POST /control/advance: moves by `ms` or to `to`, milliseconds since the epoch, through every price until then.
   * Answers once all connections have been sent what happened. A caller with a connection gets the event `Advanced`
   * after it, with the `id` that it chose.
   * @throws RefusalError the market moves by itself, or a field is invalid
   */
  async advance(
    form: FormReader,
    caller: Connection | null,
    signal: AbortSignal,
  ): Promise<MarketTime> {
    if (!this.#market.isManual) throw new RefusalError(refuse.notOffered("Advances at this speed"));
    if (this.#waiting >= maxWaiting) throw new RefusalError(refuse.tooMany("advances", maxWaiting));
    const fields = form.optionalNumbers("ms", "to");
    for (const [name, value] of Object.entries(fields))
      if (!Number.isSafeInteger(value) || value < 0)
        throw new RefusalError(refuse.invalidField(name, String(value), "must be milliseconds"));
    if (fields.ms === undefined && fields.to === undefined)
      throw new RefusalError(refuse.missingField("ms"));
    const { id = "" } = form.optionalTexts("id");
    this.#waiting += 1;
    const turn = this.#last.then(() => this.#move(fields, signal));
    this.#last = turn.catch(() => {});
    try {
      await turn;
    } finally {
      this.#waiting -= 1;
    }
    caller?.outbox.change(pushText("Advanced", { id, ...this.time }));
    return this.time;
  }

  async #move(
    { ms = 0, to }: { readonly ms?: number; readonly to?: number },
    signal: AbortSignal,
  ): Promise<void> {
    const end = to ?? this.#market.now + ms;
    for (let hasArrived = false; !hasArrived; ) {
      signal.throwIfAborted();
      hasArrived = this.#market.advancePart(end, pricesPerPart);
      const until = AbortSignal.any([signal, AbortSignal.timeout(flushTimeoutMs)]);
      for (const connection of [...this.#connections]) await connection.flushed(until);
    }
  }
}
