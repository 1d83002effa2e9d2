import type { PushListener } from "./push-listeners.ts";

/** One connection, from its handshake to its end. */
export interface Link {
  /** The id that the header of each request begins with. */
  readonly connectionId: string;
  /** Aborted when the connection has ended; the reason is an Error. */
  readonly broken: AbortSignal;
  /** Every push of this name; there is one listener for each. */
  on(event: string, listener: PushListener): void;
  off(event: string): void;
  /** Ends it, if it has not ended. */
  close(reason: string): void;
}
