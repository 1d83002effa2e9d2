import { GatewayError } from "../errors/gateway-error.ts";

/** A close ends the scoped keys of its session that were made before it, for good. */
export class KeyEnd {
  /** When they last ended, in milliseconds since the epoch; null: never. */
  #at: number | null = null;

  /** @param closed_at of the latest close; null: none is known */
  restore(closed_at: string | null): void {
    if (closed_at !== null) this.#at = Date.parse(closed_at);
  }

  /**
   * @param issued_at of the key, in seconds since the epoch; null: it has no such time
   * @throws GatewayError session_closed
   */
  check(session_id: string, issued_at: number | null): void {
    if (issued_at === null || this.#at === null || 1_000 * issued_at > this.#at) return;
    throw new GatewayError(
      "session_closed",
      `Session '${session_id}' was closed, and its key with it. Ask for another key.`,
    );
  }
}
