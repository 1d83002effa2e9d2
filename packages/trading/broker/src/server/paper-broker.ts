import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { FaultSettings } from "../faults/fault-settings.ts";
import { Faults } from "../faults/faults.ts";
import type { PaperMarketOptions } from "../market/market-options.ts";
import type { PaperMarket } from "../market/paper-market.ts";
import { type ConnectionLimits, connectionLimits } from "./connection-limits.ts";
import { Connections } from "./connections.ts";
import { openMarket } from "./open-market.ts";
import { RowOwners } from "./row-owners.ts";
import { attachSocketServer } from "./socket-server.ts";
import { Tokens } from "./tokens.ts";
import { tradingListener } from "./trading-listener.ts";

export interface PaperBrokerConfig extends PaperMarketOptions {
  /** The tokens that clients may send as `access_token`; each has full access. At least 8 characters. */
  readonly tokens: readonly string[];
  /** Tokens that open only one account, by the account's id. @default none */
  readonly account_tokens?: Readonly<Record<string, readonly string[]>>;
  /** @default "127.0.0.1" */
  readonly listen_host?: string;
  /** 0: any free port. @default 0 */
  readonly listen_port?: number;
  /** Hours of generated price history in a new market. @default 0 */
  readonly history_hours?: number;
  readonly faults?: Partial<FaultSettings> & { readonly seed?: number };
  readonly connection_limits?: Partial<ConnectionLimits>;
}

export interface PaperBrokerOptions {
  /** Called with log messages, which never contain secrets. @default none */
  readonly log?: (message: string) => void;
}

export interface PaperBroker extends AsyncDisposable {
  /** `http://host:port` */
  readonly url: string;
  readonly market: PaperMarket;
  readonly faults: Faults;
  /** Number of connected clients. */
  readonly connections: number;
  /** Rejects when the market stops because its state or its prices failed; never resolves. */
  readonly failure: Promise<never>;
  /** Closes all connections and stores the state. */
  close(): Promise<void>;
}

const httpLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  maxHeaderSize: 16_384,
  // Longer than clients keep connections: an order on a closing connection has an unknown outcome.
  keepAliveTimeout: 120_000,
} as const;
/** How long clients have to close connections themselves. */
const closeGraceMs = 1000;

/**
 * Opens the market, starts it and serves it.
 * @throws TypeError an invalid configuration
 * @throws StateError the state file cannot be used
 * @throws PriceFileError the price file cannot be read
 * @throws Error listening on the address failed
 */
export async function startPaperBroker(
  config: PaperBrokerConfig,
  { log = () => {} }: PaperBrokerOptions = {},
): Promise<PaperBroker> {
  const { listen_host = "127.0.0.1", listen_port = 0 } = config;
  const limits = connectionLimits(config.connection_limits);
  const { account_tokens = {} } = config;
  const tokens = new Tokens(config.tokens, account_tokens);
  const known = new Set(config.accounts.map(({ account_id }) => account_id));
  const stranger = Object.keys(account_tokens).find((account_id) => !known.has(account_id));
  if (stranger !== undefined)
    throw new TypeError(`account_tokens: there is no account ${stranger}`);
  const connections = new Connections();
  const dropOne = (choice: number): void =>
    [...connections][Math.floor(choice * connections.size)]?.drop();
  const faults = new Faults(config.faults ?? {}, dropOne);
  const market = openMarket(config, config.history_hours ?? 0);
  const owners = Object.keys(account_tokens).length === 0 ? null : new RowOwners(market);
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => {});
  market.subscribe({
    prices: (updates) => connections.pushPrices(updates),
    changes: (changes) => connections.pushChanges(changes, owners),
    ended: (symbols) => log(`the prices have ended: ${symbols.join(", ")}`),
    failed: (error) => {
      log(`the market has stopped: ${error.message}`);
      failure.reject(error);
    },
  });

  const parts = { market, connections, tokens, faults, limits, log };
  const listener = tradingListener({ ...parts, bodyBytes: limits.body_bytes });
  const http = createServer(httpLimits, listener);
  const endSockets = trackSockets(http);
  const io = attachSocketServer({ ...parts, http });
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    faults.close();
    // Closes the connections and the HTTP server.
    const closed = io.close();
    const timer = setTimeout(endSockets, closeGraceMs);
    await closed.finally(() => clearTimeout(timer));
    market.close();
  };
  const closeOnce = (): Promise<void> => {
    closing ??= close();
    return closing;
  };
  try {
    http.listen(listen_port, listen_host);
    await once(http, "listening");
    market.start();
    faults.start();
  } catch (error) {
    market.close();
    throw error;
  }
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://${listen_host.includes(":") ? `[${listen_host}]` : listen_host}:${port}`,
    market,
    faults,
    failure: failure.promise,
    get connections() {
      return connections.size;
    },
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}

/** @returns a function that ends all of the server's connections at once, including WebSockets */
function trackSockets(server: Server): () => void {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}
