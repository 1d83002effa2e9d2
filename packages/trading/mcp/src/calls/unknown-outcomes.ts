import type { OutcomeUnknownError, Reconciliation, TradingClient } from "@proj/trading-client";
import { ToolError } from "./tool-error.ts";

/** Most unknown outcomes to remember; the oldest is forgotten first. */
const maxRemembered = 100;

/** Finds out what became of requests whose answers were lost. */
export class UnknownOutcomes {
  readonly #client: TradingClient;
  readonly #timeoutMs: number;
  readonly #errors = new Map<string, OutcomeUnknownError>();
  #count = 0;

  /** @param timeoutMs how long the broker may take to say what became of a request */
  constructor(client: TradingClient, timeoutMs: number) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Asks the broker at once.
   * @throws ToolError `outcome_unknown` with a `request_id` while the broker cannot be asked
   */
  async settle(error: OutcomeUnknownError): Promise<Reconciliation> {
    this.#count += 1;
    const request_id = String(this.#count);
    this.#errors.set(request_id, error);
    const [oldest] = this.#errors.keys();
    if (oldest !== undefined && this.#errors.size > maxRemembered) this.#errors.delete(oldest);
    return this.ask(request_id);
  }

  /** @throws ToolError `not_found`, or `outcome_unknown` as `settle` */
  async ask(request_id: string): Promise<Reconciliation> {
    const error = this.#errors.get(request_id);
    if (error === undefined) {
      const known = [...this.#errors.keys()].join(", ") || "none";
      const message = `No request ${request_id} has an unknown outcome; these have: ${known}.`;
      throw new ToolError("not_found", message);
    }
    try {
      const found = await this.#client.reconcile(error, { timeoutMs: this.#timeoutMs });
      this.#errors.delete(request_id);
      return found;
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new ToolError(
        "outcome_unknown",
        `It is unknown whether ${error.request} was executed, and the broker cannot be asked (${why}). ` +
          "Do not send it again: call reconcile with this request_id later.",
        { request_id },
        cause,
      );
    }
  }
}
