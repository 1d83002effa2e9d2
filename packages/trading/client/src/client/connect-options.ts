export interface ConnectOptions {
  /** `http(s)://host[:port][/prefix]` */
  readonly url: string;
  /** The API token. */
  readonly token: string;
  /** @default "proj-trading-client" */
  readonly userAgent?: string;
  /**
   * Time-out of a call in milliseconds, including the wait for a connection; 0: none.
   * @default 30_000
   */
  readonly timeoutMs?: number;
  /**
   * Time-out of one connection attempt in milliseconds, including renewed subscriptions;
   * `connectTrading` as a whole gives up after the same time.
   * @default 10_000
   */
  readonly connectTimeoutMs?: number;
  /** First back-off between attempts, in milliseconds, with full jitter. @default 250 */
  readonly reconnectMinDelayMs?: number;
  /** Longest back-off, in milliseconds. @default 8_000 */
  readonly reconnectMaxDelayMs?: number;
  /**
   * Longest silence of the server in milliseconds; then the connection is given up for a new one. A quiet market is not
   * silent: the server is asked for a sign of life after a quarter of it. 0: the interface's own 85 seconds.
   * @default 20_000
   */
  readonly quietMs?: number;
  /** Most table changes queued for one reader. @default 100_000 */
  readonly maxQueuedChanges?: number;
  /**
   * Whether nobody else trades the token's accounts. Only then can the tables of a server that keeps no request ids show
   * for certain that an unanswered order was executed: see `reconcile`.
   * @default false
   */
  readonly isOnlyTrader?: boolean;
  /** Aborts connecting; has no effect afterwards. */
  readonly signal?: AbortSignal;
}
