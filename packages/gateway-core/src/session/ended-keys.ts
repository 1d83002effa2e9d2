import { GatewayError } from "../errors/gateway-error.ts";

/** Sessions that are remembered. */
const mostRemembered = 100_000;

/** Closed sessions that have left memory, so that the scoped keys they had open nothing more. */
export class EndedKeys {
  /** When each was closed, in milliseconds since the epoch; the latest last. */
  readonly #closes = new Map<string, number>();

  add(session_id: string, closedAt: number): void {
    this.#closes.delete(session_id);
    this.#closes.set(session_id, closedAt);
    const [oldest] = this.#closes.keys();
    if (this.#closes.size > mostRemembered && oldest !== undefined) this.#closes.delete(oldest);
  }

  /**
   * @param issued_at of the key, in seconds since the epoch; null: it has no such time
   * @throws GatewayError session_closed
   */
  check(session_id: string, issued_at: number | null): void {
    const closedAt = this.#closes.get(session_id);
    if (issued_at === null || closedAt === undefined || 1_000 * issued_at > closedAt) return;
    throw new GatewayError(
      "session_closed",
      `Session '${session_id}' was closed, and its key with it. Ask for another key.`,
    );
  }
}
