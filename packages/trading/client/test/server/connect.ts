import type { ConnectOptions } from "../../src/client/connect-options.ts";
import { connectTrading } from "../../src/client/connect-trading.ts";
import type { TradingClient } from "../../src/client/trading-client.ts";
import type { TradingServer } from "./trading-server.ts";

/** Connects with time-outs and delays for tests. */
export function connect(
  { url, token }: TradingServer,
  options: Partial<ConnectOptions> = {},
): Promise<TradingClient> {
  return connectTrading({
    ...{ url, token, timeoutMs: 5_000, connectTimeoutMs: 5_000 },
    ...{ reconnectMinDelayMs: 2, reconnectMaxDelayMs: 10 },
    ...options,
  });
}
