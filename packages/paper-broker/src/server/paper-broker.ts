import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { FaultSettings } from "../faults/fault-settings.ts";
import { Faults } from "../faults/faults.ts";

import type { PaperMarketOptions } from "../market/market-options.ts";
import type { PaperMarket } from "../market/paper-market.ts";
import { type ConnectionLimits, connectionLimits } from "./connection-limits.ts";
import { Connections } from "./connections.ts";
import { openMarket } from "./open-market.ts";
import { attachSocketServer } from "./socket-server.ts";
import { Tokens } from "./tokens.ts";
import { trackSockets } from "./track-sockets.ts";
import { tradingListener } from "./trading-listener.ts";

export interface PaperBrokerConfig extends PaperMarketOptions {
  /** What clients show as `access_token`; each of them may do everything. 8 characters at least. */
  readonly tokens: readonly string[];
  /** @default "127.0.0.1" */
  readonly listen_host?: string;
  /** 0: any free port. @default 0 */
  readonly listen_port?: number;
  /** Hours of drawn prices that a new market has behind it when it begins. @default 0 */
  readonly history_hours?: number;
  readonly faults?: Partial<FaultSettings> & { readonly seed?: number };
  readonly connection_limits?: Partial<ConnectionLimits>;
}

export interface PaperBrokerOptions {
  /** Is told what happens, without secrets. @default nobody */
  readonly log?: (message: string) => void;
}

export interface PaperBroker extends AsyncDisposable {
  /** `http://host:port` */
  readonly url: string;
  readonly market: PaperMarket;
  readonly faults: Faults;
  /** How many clients are connected. */
  readonly connections: number;
  /** Rejects when the market has stopped because its state or its prices failed; never resolves. */
  readonly failure: Promise<never>;
  /** Ends all connections and stores the state. */
  close(): Promise<void>;
}

const httpLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  maxHeaderSize: 16_384,
  // Longer than clients keep theirs: an order that meets a closing connection has an unknown outcome.
  keepAliveTimeout: 120_000,
} as const;
/** What clients have to end by themselves. */
const closeGraceMs = 1000;

/**
 * Opens the market, lets it move, and serves it.
 * @throws TypeError the configuration makes no sense
 * @throws StateError the state file cannot be used
 * @throws PriceFileError the file of prices cannot be read
 * @throws Error the address cannot be listened on
 */
export async function startPaperBroker(
  config: PaperBrokerConfig,
  { log = () => {} }: PaperBrokerOptions = {},
): Promise<PaperBroker> {
  const { listen_host = "127.0.0.1", listen_port = 0 } = config;
  const limits = connectionLimits(config.connection_limits);
  const tokens = new Tokens(config.tokens);
  const connections = new Connections();
  const dropOne = (choice: number): void =>
    [...connections][Math.floor(choice * connections.size)]?.drop();
  const faults = new Faults(config.faults ?? {}, dropOne);
  const market = openMarket(config, config.history_hours ?? 0);
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => {});
  market.subscribe({
    prices: (updates) => connections.pushPrices(updates),
    changes: (changes) => connections.pushChanges(changes),
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
    // It closes the connections and the HTTP server.
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
