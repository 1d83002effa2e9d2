import { NotConnectedError } from "../errors/not-connected-error.ts";
import { withDeadline } from "../waiting/with-deadline.ts";
import type { ConnectOptions } from "./connect-options.ts";
import { createClient } from "./create-client.ts";
import type { TradingClient } from "./trading-client.ts";

/**
 * Connects to a trading server. Failed attempts are repeated until the time is up.
 * @throws TypeError `url` is not a URL, or `token` is empty
 * @throws NotConnectedError the token was refused, or there was no connection in time
 */
export async function connectTrading(options: ConnectOptions): Promise<TradingClient> {
  const { url, connectTimeoutMs = 10_000, signal } = options;
  signal?.throwIfAborted();
  const { connection, client } = createClient({ ...options, connectTimeoutMs });
  const timeoutError = (): Error => {
    const { lastFailure } = connection;
    const why = lastFailure === undefined ? "" : `: ${lastFailure.message}`;
    const message = `There was no connection to ${url} within ${connectTimeoutMs} ms${why}`;
    return new NotConnectedError("timeout", message, lastFailure);
  };
  try {
    const deadline = { timeoutMs: connectTimeoutMs, timeoutError, signals: [signal] };
    await withDeadline(deadline, (either) => connection.ready(either));
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}
