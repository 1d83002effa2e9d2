import type { CallOptions } from "../calls/call-options.ts";
import type { Candle } from "../candles/candle.ts";
import type { CandlesQuery } from "../candles/candles-query.ts";
import type { OutcomeUnknownError } from "../errors/outcome-unknown-error.ts";
import type { ClosedPositionsQuery } from "../history/closed-positions.ts";
import type { Transactions, TransactionsQuery } from "../history/transactions.ts";
import type { MarketControl } from "../market/market-control.ts";
import type { OrderPlacing } from "../orders/order-placing.ts";
import type { TradingCalls } from "../orders/trading-calls.ts";
import type { ConflatedPrice } from "../prices/conflated-price.ts";
import type { Price } from "../prices/price.ts";
import type { Reconciliation } from "../reconciling/reconciliation.ts";
import type { Table } from "../tables/live-table.ts";
import type { TableRow } from "../tables/table-row.ts";
import type {
  InstrumentEntry,
  MarketHours,
  TableModel,
  UpdateSubscriptionsRequest,
} from "../wire/index.ts";
import type { TradingEvents } from "./trading-events.ts";

/**
 * A session with a trading server that outlives its connections. Every call waits for a connection
 * if there is none, and may fail with
 * - RefusalError: the server refused
 * - InvalidRequestError: the request is invalid and was not sent
 * - OutcomeUnknownError: a trading request was sent, but its answer did not arrive
 * - TimeoutError, NotConnectedError, or http-client's ApiError, ConnectionError, InvalidAnswerError
 * - the signal's reason
 */
export interface TradingClient extends TradingCalls, OrderPlacing, AsyncDisposable {
  /**
   * Finds out from the tables what became of a request that was not answered. First ends the connection that
   * it was sent over, so that it can no longer be executed.
   * @throws TypeError the error does not come from a request of this client
   */
  reconcile(error: OutcomeUnknownError, options?: CallOptions): Promise<Reconciliation>;

  /** Moves the market of a server that waits for it. */
  readonly market: MarketControl;

  readonly state: "connected" | "reconnecting" | "closed";
  /** The id that each request's header begins with; null: not connected. */
  readonly connectionId: string | null;

  /**
   * Listens to an event. Listeners run synchronously when the push arrives.
   * @returns a function that removes the listener
   */
  on<Event extends keyof TradingEvents>(
    event: Event,
    listener: (value: TradingEvents[Event]) => void,
  ): () => void;

  /** Subscribes to prices, which arrive as `price` events. @returns the current prices */
  subscribePrices(symbols: readonly string[], options?: CallOptions): Promise<readonly Price[]>;
  /** Ends `subscribePrices`; readers of `prices` go on. */
  unsubscribePrices(symbols: readonly string[], options?: CallOptions): Promise<void>;
  /**
   * Reads prices as they arrive, and subscribes to them meanwhile. A slow reader gets the newest
   * price of each symbol.
   * @throws InvalidRequestError; reading throws the errors of a call
   */
  prices(
    symbols: readonly string[],
    options?: { readonly signal?: AbortSignal },
  ): AsyncIterableIterator<ConflatedPrice>;
  /** Null: the symbol is not subscribed, or has no price yet. */
  latestPrice(symbol: string): Price | null;

  /** The current rows of a table, read once. */
  snapshot<Model extends TableModel>(
    model: Model,
    options?: CallOptions,
  ): Promise<readonly TableRow<Model>[]>;
  /** A live copy of a server table; the same object each time. */
  subscribeTable<Model extends TableModel>(
    model: Model,
    options?: CallOptions,
  ): Promise<Table<Model>>;
  /** Ends its readers; its rows stay as they are. Orders waiting for their trades end incomplete. */
  unsubscribeTable(model: TableModel, options?: CallOptions): Promise<void>;

  /**
   * Trades closed on any day, in order of closing. Our own addition to the interface.
   * @throws ApiError (404) the server does not offer it
   */
  closedPositions(
    query?: ClosedPositionsQuery,
    options?: CallOptions,
  ): Promise<readonly TableRow<"ClosedPosition">[]>;
  /**
   * What happened since an id: orders, fills, swaps. Our own addition to the interface.
   * @throws ApiError (404) the server does not offer it
   */
  transactions(query?: TransactionsQuery, options?: CallOptions): Promise<Transactions>;

  instruments(options?: CallOptions): Promise<readonly InstrumentEntry[]>;
  /** Shows or hides an instrument in the Offer table. */
  updateSubscriptions(request: UpdateSubscriptionsRequest, options?: CallOptions): Promise<void>;
  /**
   * Downloads candles, oldest first, in as many requests as needed.
   * @throws CandleLimitError the span begins before its time frame's limit of days
   */
  candles(query: CandlesQuery, options?: CallOptions): Promise<readonly Candle[]>;
  /** The server's hours for each instrument type; null: it never closes. */
  marketHours(options?: CallOptions): Promise<ReadonlyMap<number, MarketHours | null>>;

  /** Ends everything: waiting calls fail, readers end, nothing keeps the process alive. */
  close(): Promise<void>;
}
