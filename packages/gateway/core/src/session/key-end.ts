import { GatewayError } from "../errors/gateway-error.ts";

/** Ends a session's scoped keys: a close ends, for good, those that were made before it. */
export class KeyEnd {
  /** When the keys last ended, in milliseconds since the epoch; null if never. */
  #at: number | null = null;

  /** @param closed_at when the latest close happened; null: none is known */
  restore(closed_at: string | null): void {
    if (closed_at !== null) this.#at = Date.parse(closed_at);
  }

  /** Whether a key still opens the session. @param issued_at as for `check` */
  isOpen(issued_at: number | null): boolean {
    return issued_at === null || this.#at === null || 1_000 * issued_at > this.#at;
  }

  /**
   * @param issued_at when the key was made, in seconds since the epoch; null: it does not say
   * @throws GatewayError session_closed
   */
  check(session_id: string, issued_at: number | null): void {
    if (this.isOpen(issued_at)) return;
    throw new GatewayError(
      "session_closed",
      `Session '${session_id}' was closed, and its key with it. Ask for another key.`,
    );
  }
}
