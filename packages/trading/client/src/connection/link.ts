import type { PushListener } from "./push-listeners.ts";

/** One connection, from its handshake to its end. */
export interface Link {
  /** The id that each request's header begins with. */
  readonly connectionId: string;
  /** Aborted when the connection has ended; the reason is an Error. */
  readonly broken: AbortSignal;
  /** Listens to all pushes of this name; each name has one listener. */
  on(event: string, listener: PushListener): void;
  off(event: string): void;
  /** Ends the connection unless it has already ended. */
  close(reason: string): void;
}
