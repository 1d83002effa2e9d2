export interface ConnectOptions {
  /** `http(s)://host[:port][/prefix]` */
  readonly url: string;
  /** The API token. */
  readonly token: string;
  /** @default "proj-trading-client" */
  readonly userAgent?: string;
  /**
   * Of a call, in milliseconds, the wait for a connection included; 0: none.
   * @default 30_000
   */
  readonly timeoutMs?: number;
  /**
   * Of a connection, in milliseconds, until its subscriptions are renewed. `connectTrading` tries
   * for as long altogether.
   * @default 10_000
   */
  readonly connectTimeoutMs?: number;
  /** Back-off between connections, with full jitter: the first. @default 250 */
  readonly reconnectMinDelayMs?: number;
  /** The longest. @default 8_000 */
  readonly reconnectMaxDelayMs?: number;
  /** How many changes of a table may wait to be read by one reader. @default 100_000 */
  readonly maxQueuedChanges?: number;
  /** Ends connecting; later it has no effect. */
  readonly signal?: AbortSignal;
}
