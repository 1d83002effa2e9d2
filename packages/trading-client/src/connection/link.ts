/** One connection, from its handshake to its end. */
export interface Link {
  /** The id that the header of each request begins with. */
  readonly connectionId: string;
  /** Aborted when the connection has ended; the reason is an Error. */
  readonly broken: AbortSignal;
  /** Every push of this name. */
  on(event: string, listener: (payload: unknown) => void): void;
  off(event: string): void;
  /** Ends it, if it has not ended. */
  close(reason: string): void;
}
