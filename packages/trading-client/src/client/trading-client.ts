import type {
  InstrumentEntry,
  MarketHours,
  TableModel,
  UpdateSubscriptionsRequest,
} from "@proj/trading-protocol";
import type { CallOptions } from "../calls/call-options.ts";
import type { Candle } from "../candles/candle.ts";
import type { CandlesQuery } from "../candles/candles-query.ts";
import type { OutcomeUnknownError } from "../errors/outcome-unknown-error.ts";
import type { OrderPlacing } from "../orders/order-placing.ts";
import type { TradingCalls } from "../orders/trading-calls.ts";
import type { ConflatedPrice } from "../prices/conflated-price.ts";
import type { Price } from "../prices/price.ts";
import type { Reconciliation } from "../reconciling/reconciliation.ts";
import type { Table } from "../tables/live-table.ts";
import type { TableRow } from "../tables/table-row.ts";
import type { TradingEvents } from "./trading-events.ts";

/**
 * A connection to a trading server that outlives its connections. Every call waits for a connection
 * if there is none, and fails with
 * - RefusalError: the server refused
 * - InvalidRequestError: it cannot be right, and was not sent
 * - OutcomeUnknownError: it trades and was sent, but its answer did not come
 * - TimeoutError, NotConnectedError, or http-client's ApiError, ConnectionError, InvalidAnswerError
 * - the signal's reason
 */
export interface TradingClient extends TradingCalls, OrderPlacing, AsyncDisposable {
  /**
   * Finds out what became of a request that was sent and not answered, by what the tables show. The connection
   * that it was sent over is ended first, so that it cannot be carried out any more.
   * @throws TypeError the error is not of a request of this client
   */
  reconcile(error: OutcomeUnknownError, options?: CallOptions): Promise<Reconciliation>;

  readonly state: "connected" | "reconnecting" | "closed";
  /** The id that the header of each request begins with; null: there is no connection. */
  readonly connectionId: string | null;

  /**
   * Listens to an event. A listener is called in the turn in which the push came.
   * @returns a function that removes it
   */
  on<Event extends keyof TradingEvents>(
    event: Event,
    listener: (value: TradingEvents[Event]) => void,
  ): () => void;

  /** Has prices pushed, as event `price`. @returns those that there are */
  subscribePrices(symbols: readonly string[], options?: CallOptions): Promise<readonly Price[]>;
  /** Readers keep what they read. */
  unsubscribePrices(symbols: readonly string[], options?: CallOptions): Promise<void>;
  /**
   * Reads prices as they come, and subscribes them for as long. A reader that is slower than they
   * come gets the newest price of each symbol.
   * @throws InvalidRequestError; a call's errors when read
   */
  prices(
    symbols: readonly string[],
    options?: { readonly signal?: AbortSignal },
  ): AsyncIterableIterator<ConflatedPrice>;
  /** Null: the symbol is not subscribed, or has no price yet. */
  latestPrice(symbol: string): Price | null;

  /** A table as it is now, asked for once. */
  snapshot<Model extends TableModel>(
    model: Model,
    options?: CallOptions,
  ): Promise<readonly TableRow<Model>[]>;
  /** A table that is kept as it is on the server; the same one each time. */
  subscribeTable<Model extends TableModel>(
    model: Model,
    options?: CallOptions,
  ): Promise<Table<Model>>;
  /** Its readers end; its rows stay as they were. Orders that wait for their trades end incomplete. */
  unsubscribeTable(model: TableModel, options?: CallOptions): Promise<void>;

  instruments(options?: CallOptions): Promise<readonly InstrumentEntry[]>;
  /** Shows or hides an instrument in the Offer table. */
  updateSubscriptions(request: UpdateSubscriptionsRequest, options?: CallOptions): Promise<void>;
  /**
   * Downloads candles, the oldest first, in as many requests as it takes.
   * @throws CandleLimitError they lie further back than their time frame's limit of days
   */
  candles(query: CandlesQuery, options?: CallOptions): Promise<readonly Candle[]>;
  /** The hours of each instrument type as the server has them; null: it trades at all times. */
  marketHours(options?: CallOptions): Promise<ReadonlyMap<number, MarketHours | null>>;

  /** Ends everything: calls that wait fail, readers end, nothing keeps the process alive. */
  close(): Promise<void>;
}
