/** Options of every call to the server. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Time-out in milliseconds, including the wait for a connection; 0: none.
   * @default the client's `timeoutMs`
   */
  readonly timeoutMs?: number | undefined;
}
