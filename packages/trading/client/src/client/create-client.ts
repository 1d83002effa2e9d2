import { createHttpClient } from "@proj/http-client";
import type { CallOptions } from "../calls/call-options.ts";
import { Caller } from "../calls/caller.ts";
import { createSender } from "../calls/sender.ts";
import { downloadCandles } from "../candles/download-candles.ts";
import { Connection } from "../connection/connection.ts";
import { openLink } from "../connection/open-link.ts";
import { readClosedPositions } from "../history/closed-positions.ts";
import { readTransactions } from "../history/transactions.ts";
import { createMarketControl } from "../market/market-control.ts";
import { createOrderPlacing } from "../orders/order-placing.ts";
import { OrderTracker } from "../orders/order-tracker.ts";
import { createTradingCalls } from "../orders/trading-calls.ts";
import { PriceFeed } from "../prices/price-feed.ts";
import { Reconciler } from "../reconciling/reconciler.ts";
import { ServerClock } from "../reconciling/server-clock.ts";
import { checkRequest, checkSymbols } from "../requests/check-request.ts";
import { KnownAccounts } from "../requests/known-accounts.ts";
import { Extensions } from "../tables/extensions.ts";
import { TableFeed } from "../tables/table-feed.ts";
import { readMarketHours } from "../wire/index.ts";
import type { ConnectOptions } from "./connect-options.ts";
import { Events } from "./events.ts";
import { instrumentsCall, updateSubscriptionsCall } from "./instrument-calls.ts";
import type { TradingClient } from "./trading-client.ts";
import type { Reconnected, TradingEvents } from "./trading-events.ts";

export interface CreatedClient {
  readonly connection: Connection;
  readonly client: TradingClient;
}

/** socket.io-client's parser takes super-linear time for some long addresses (CVE-2024-36751). */
const maxUrlLength = 2_000;

/**
 * Assembles a client and starts connecting.
 * @throws TypeError `url` is not a URL or too long, or `token` is empty
 */
export function createClient({
  url,
  token,
  userAgent = "proj-trading-client",
  timeoutMs = 30_000,
  connectTimeoutMs = 10_000,
  reconnectMinDelayMs = 250,
  reconnectMaxDelayMs = 8_000,
  quietMs = 20_000,
  maxQueuedChanges = 100_000,
  isOnlyTrader = false,
}: ConnectOptions): CreatedClient {
  if (url.length > maxUrlLength)
    throw new TypeError(`url has ${url.length} characters: at most ${maxUrlLength} are possible`);
  if (token === "") throw new TypeError("token is empty: give the API token");
  const headers = { "User-Agent": userAgent, Accept: "application/json" };
  const http = createHttpClient({ baseUrl: url, headers });
  const events = new Events<TradingEvents>();
  const accounts = new KnownAccounts();
  const onAlive = (): void => events.emit("heartbeat", {});
  let missed: Reconnected["tables"] = new Map();

  const connection = new Connection({
    ...{ url, connectTimeoutMs, reconnectMinDelayMs, reconnectMaxDelayMs },
    open: (signal) => openLink({ url, token, userAgent, quietMs, onAlive }, signal),
    renew: async (link, signal) => {
      await prices.renew(link, signal);
      missed = await tables.renew(link, signal);
    },
    onConnected: ({ connectionId }) => {
      orders.onConnected();
      // Emitted for the first connection too, when nobody can be listening yet.
      events.emit("reconnected", { connectionId, tables: missed });
    },
    onDisconnected: (reason) => {
      orders.onDisconnected();
      events.emit("disconnected", { reason });
    },
    onFailed: (failure) => events.emit("reconnectFailed", failure),
    onClosed: (error) => {
      prices.end(error ?? undefined);
      tables.end(error ?? undefined);
      orders.close(connection.closing.reason);
      http.close();
      events.emit("closed", { error });
    },
  });
  const caller = new Caller({
    ...{ baseUrl: http.baseUrl, connection, timeoutMs },
    send: createSender(http, token),
  });
  const onUnreadable = (error: Error): void => events.emit("unreadable", { error });
  const prices = new PriceFeed({
    caller,
    onPrice: (price) => events.emit("price", price),
    onUnreadable,
  });
  const tables = new TableFeed({
    ...{ caller, maxQueuedChanges, onUnreadable },
    onChange: {
      Offer: (change) => events.emit("Offer", change),
      OpenPosition: (change) => events.emit("OpenPosition", change),
      ClosedPosition: (change) => events.emit("ClosedPosition", change),
      Order: (change) => events.emit("Order", change),
      Summary: (change) => events.emit("Summary", change),
      LeverageProfile: (change) => events.emit("LeverageProfile", change),
      Account: (change) => events.emit("Account", change),
      Properties: (change) => events.emit("Properties", change),
      OCO: (change) => events.emit("OCO", change),
    },
    onRows: (model, rows) => {
      if (model === "Account") accounts.learn(rows);
    },
  });
  const orders = new OrderTracker(caller, tables);
  const clock = new ServerClock();
  const extensions = new Extensions(caller);
  const reconciler = new Reconciler(caller, clock, extensions, isOnlyTrader);
  const trading = createTradingCalls(caller, accounts, reconciler, extensions);
  events.on("Order", (change) => {
    reconciler.see(change.key);
    if (change.action === "I") clock.learn(change.row.time);
    orders.onChange(change);
  });
  events.on("price", ({ time }) => clock.learn(time));
  events.on("Offer", ({ row }) => clock.learn(row.time));
  events.on("Account", ({ row }) => accounts.learn([row]));
  connection.start();

  /** What an order closed, from the server's history or, if it keeps none, from the table of today. */
  const readClosedBy = async (close_order_id: string, options: CallOptions) => {
    if (await extensions.has("closed_positions", options))
      return readClosedPositions(caller, { close_order_id }, options);
    const rows = await tables.snapshot("ClosedPosition", options);
    return rows.filter(({ closeOrderId }) => closeOrderId === close_order_id);
  };
  const close = async (): Promise<void> => connection.close();
  const client: TradingClient = {
    ...trading,
    ...createOrderPlacing(trading, orders, accounts, timeoutMs, readClosedBy),
    reconcile: async (error, options = {}) => reconciler.reconcile(error, options),
    get state() {
      if (connection.closing.aborted) return "closed";
      return connection.current === null ? "reconnecting" : "connected";
    },
    get connectionId() {
      return connection.current?.connectionId ?? null;
    },
    on: (event, listener) => events.on(event, listener),
    subscribePrices: async (symbols, options = {}) => {
      checkSymbols(symbols);
      return prices.subscribe(symbols, options);
    },
    unsubscribePrices: (symbols, options = {}) => prices.unsubscribe(symbols, options),
    prices: (symbols, { signal } = {}) => {
      checkSymbols(symbols);
      return prices.read(symbols, signal);
    },
    latestPrice: (symbol) => prices.latest(symbol),
    snapshot: (model, options = {}) => tables.snapshot(model, options),
    subscribeTable: (model, options = {}) => tables.subscribe(model, options),
    unsubscribeTable: async (model, options = {}) => {
      if (model === "Order") orders.onUnsubscribed();
      await tables.unsubscribe(model, options);
    },
    market: createMarketControl(caller),
    closedPositions: (query = {}, options = {}) => readClosedPositions(caller, query, options),
    transactions: (query = {}, options = {}) => readTransactions(caller, query, options),
    instruments: (options) => caller.call(instrumentsCall, options),
    updateSubscriptions: async (request, options) => {
      checkRequest({ ...request }, accounts);
      await caller.call(updateSubscriptionsCall(request), options);
    },
    candles: async (query, options) => downloadCandles(caller, tables, query, options),
    marketHours: async (options = {}) =>
      readMarketHours(await tables.snapshot("Properties", options)),
    close,
    [Symbol.asyncDispose]: close,
  };
  return { connection, client };
}
