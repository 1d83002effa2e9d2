/** The bench's commands to its servers: push from the beginning, or stop. */
export type ServerOrder = { readonly isPushing: boolean };

/**
 * Our client, and plain ones: over the package `ws` like ours, for prices alone, and with
 * socket.io-client's defaults.
 */
export type ClientKind = "trading" | "plain" | "plain-prices" | "plain-as-it-comes";

/** Its commands to the clients: count pushes up to a number, or for a time. */
export type ClientOrder =
  | {
      readonly count: number;
      /** Pushes before these do not count, because the client's code is not compiled yet. */
      readonly warmUp: number;
    }
  | { readonly windowMs: number };

export interface ClientCount {
  readonly messages: number;
  readonly seconds: number;
  /** User and system time of the process, in microseconds. */
  readonly cpu_us: number;
}

export const TOKEN = "token-of-the-bench";
export const ACCOUNT_ID = "1537581";
export const SYMBOLS: readonly string[] = [
  ...["EUR/USD", "USD/JPY", "GBP/USD", "USD/CHF"],
  ...["EUR/CHF", "AUD/USD", "USD/CAD", "NZD/USD"],
];
/** The tables that a bot mirrors. */
export const MODELS = ["Offer", "OpenPosition", "Summary", "Account"] as const;
