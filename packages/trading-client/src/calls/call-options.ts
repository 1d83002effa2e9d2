/** Of anything that asks the server. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds until it must be done, the wait for a connection included; 0: none.
   * @default the client's `timeoutMs`
   */
  readonly timeoutMs?: number | undefined;
}
