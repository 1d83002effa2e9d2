import {
  ConnectionError,
  type EntryOrder,
  NotConnectedError,
  type OrderHandle,
  OutcomeUnknownError,
  RefusalError,
  type Table,
  type TradingClient,
} from "@proj/trading-client";
import type { BotNews } from "./soak-protocol.ts";

const SYMBOLS: readonly string[] = [
  ...["EUR/USD", "USD/JPY", "GBP/USD", "USD/CHF"],
  ...["EUR/CHF", "AUD/USD", "USD/CAD", "NZD/USD"],
];

/** With this many open positions it closes rather than opens. */
const enoughPositions = 4;
/** With this many entry orders it deletes the oldest. */
const enoughEntries = 3;

/** Trades at random with the real client, and reports what it was told about its orders. */
export class SoakBot {
  readonly #client: TradingClient;
  readonly #account: string;
  readonly #random: () => number;
  readonly #tell: (news: BotNews) => void;
  readonly #entries: OrderHandle[] = [];
  readonly #ending = new AbortController();

  /** @param random from 0 to 1 */
  constructor(
    client: TradingClient,
    account: string,
    random: () => number,
    tell: (news: BotNews) => void,
  ) {
    this.#client = client;
    this.#account = account;
    this.#random = random;
    this.#tell = tell;
  }

  end(): void {
    this.#ending.abort();
  }

  /** Acts on the newest prices until told to end. */
  async run(): Promise<void> {
    const { signal } = this.#ending;
    const positions = await this.#client.subscribeTable("OpenPosition");
    try {
      for await (const { symbol, bid } of this.#client.prices(SYMBOLS, { signal })) {
        await this.#act(symbol, bid, positions).catch((error: unknown) => this.#say(error));
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #act(symbol: string, bid: number, positions: Table<"OpenPosition">): Promise<void> {
    const own = [...positions.rows.values()].filter(({ accountId }) => accountId === this.#account);
    const [oldest] = own;
    if (oldest !== undefined && own.length >= enoughPositions) await this.#close(oldest.tradeId);
    else if (this.#random() < 0.6) await this.#open(symbol);
    else if (this.#entries.length >= enoughEntries) await this.#delete();
    else await this.#rest(symbol, bid);
  }

  async #open(symbol: string): Promise<void> {
    const { order, isProtected } = this.#order(symbol);
    const handle = await this.#placed(this.#client.placeMarketOrder(order));
    this.#tellPlaced(handle, order.amount, false, isProtected);
    await this.#tellEnd(handle);
  }

  async #rest(symbol: string, bid: number): Promise<void> {
    const { order, isProtected } = this.#order(symbol);
    const side = order.is_buy ? 1 : -1;
    const away = side * (this.#random() - 0.5) * 0.0005;
    const entry: EntryOrder = { ...order, rate: Number((bid * (1 + away)).toFixed(3)) };
    const handle = await this.#placed(this.#client.placeEntryOrder(entry));
    this.#tellPlaced(handle, order.amount, true, isProtected);
    this.#entries.push(handle);
  }

  async #delete(): Promise<void> {
    const [handle] = this.#entries.splice(0, 1);
    if (handle === undefined) return;
    const { orderId } = handle;
    if (handle.outcome === null) {
      try {
        this.#tell({ kind: "deleting", orderId });
        await this.#client.deleteOrder({ order_id: orderId });
        this.#tell({ kind: "deleted", orderId });
      } catch (error) {
        this.#say(error);
        // The order may still be resting, so it is tried again.
        if (!(error instanceof RefusalError)) return void this.#entries.push(handle);
      }
    }
    await this.#tellEnd(handle);
  }

  async #close(trade_id: string): Promise<void> {
    this.#tell({ kind: "closing", tradeId: trade_id });
    const { orderId } = await this.#client.closeTrade({ trade_id });
    this.#tell({ kind: "closed", tradeId: trade_id, orderId });
  }

  #order(symbol: string) {
    const is_buy = this.#random() < 0.5;
    const isProtected = this.#random() < 0.3;
    const side = is_buy ? 1 : -1;
    const protection = { stop: -side * 5, limit: side * 5, is_in_pips: true };
    const order = {
      account_id: this.#account,
      symbol,
      is_buy,
      amount: 1 + Math.floor(this.#random() * 8),
      ...(isProtected ? protection : {}),
    };
    return { order, isProtected };
  }

  async #placed(placing: Promise<OrderHandle>): Promise<OrderHandle> {
    try {
      return await placing;
    } catch (error) {
      if (error instanceof OutcomeUnknownError) {
        this.#tell({ kind: "unknown", account_id: this.#account });
      }
      throw error;
    }
  }

  #tellPlaced(
    { orderId }: OrderHandle,
    amount: number,
    isEntry: boolean,
    isProtected: boolean,
  ): void {
    const account_id = this.#account;
    this.#tell({ kind: "placed", account_id, orderId, amount, isEntry, isProtected });
  }

  async #tellEnd(handle: OrderHandle): Promise<void> {
    const { signal } = this.#ending;
    try {
      const { tradeIds, isComplete, status } = await handle.ended({ timeoutMs: 30_000, signal });
      this.#tell({ kind: "ended", orderId: handle.orderId, tradeIds, isComplete, status });
    } catch (error) {
      // The market stands still then, and an order may wait for depth to come back.
      if (!signal.aborted) throw error;
    }
  }

  /** Faults cause refusals, orders that do not get through, and missing answers. */
  #say(error: unknown): void {
    if (error instanceof OutcomeUnknownError) return;
    if (error instanceof RefusalError) this.#tell({ kind: "refused", code: error.code });
    else if (wasNotSent(error)) this.#tell({ kind: "notSent" });
    else this.#tell({ kind: "failed", what: `${this.#account}: ${String(error)}` });
  }
}

function wasNotSent(error: unknown): boolean {
  if (error instanceof NotConnectedError) return error.reason === "ended";
  return error instanceof ConnectionError && error.neverSent;
}
