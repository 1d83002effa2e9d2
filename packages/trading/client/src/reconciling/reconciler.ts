import type { CallOptions } from "../calls/call-options.ts";
import type { Caller } from "../calls/caller.ts";
import type { Link } from "../connection/link.ts";
import { OutcomeUnknownError } from "../errors/outcome-unknown-error.ts";
import type { Extensions } from "../tables/extensions.ts";
import type { FormFields } from "../wire/index.ts";
import { fillOf } from "./found-orders.ts";
import { kindOf, type Reading, readingOf } from "./readings.ts";
import { type Reconciliation, reconciled } from "./reconciliation.ts";
import type { ServerClock } from "./server-clock.ts";
import { settleCall } from "./settle-call.ts";
import {
  highestOrderId,
  mayHaveForgotten,
  newestPrice,
  readTablesNow,
  type TablesNow,
} from "./tables-now.ts";

/** A request that places orders, from before it is sent until its outcome is known. */
interface Sent {
  readonly path: string;
  readonly fields: FormFields;
  /** The connection it was sent over. */
  readonly link: Link | null;
  /** The id under which the server knows it; null: the server keeps none. */
  readonly requestId: string | null;
  /** The highest order id before it; null: unknown. */
  readonly since: number | null;
  /** The server's time before it; null: unknown. */
  readonly sentAt: number | null;
  /** Trades that ClosedPosition had before it. */
  readonly closedBefore: readonly string[];
}

/** Most answered order ids to remember, to rule them out when reconciling; the oldest are forgotten. */
const maxAnswered = 10_000;
/** After so long without news of the server's time, the tables are read before an order. */
const maxClockAgeMs = 5 * 60_000;

/**
 * Finds out what became of unanswered requests. A server that keeps request ids is asked. At any other, the tables
 * are compared with every field that was sent: order ids grow, so the request's order has a higher id than any
 * before it.
 */
export class Reconciler {
  readonly #caller: Caller;
  readonly #clock: ServerClock;
  readonly #extensions: Extensions;
  readonly #isOnlyTrader: boolean;
  readonly #sent = new WeakMap<OutcomeUnknownError, Sent>();
  /** Requests in flight, and those with an unknown outcome. */
  readonly #unsettled = new Set<Sent>();
  readonly #answered = new Set<string>();
  #highest: number | null = null;
  #closed: readonly string[] = [];

  /** @param isOnlyTrader whether nobody else trades the accounts */
  constructor(caller: Caller, clock: ServerClock, extensions: Extensions, isOnlyTrader: boolean) {
    this.#caller = caller;
    this.#clock = clock;
    this.#extensions = extensions;
    this.#isOnlyTrader = isOnlyTrader;
  }

  /** Sends a request, and remembers it in case its answer does not arrive. */
  async send<T>(
    path: string,
    fields: FormFields,
    signal: AbortSignal,
    request: (fields: FormFields) => Promise<T>,
    idsOf: (answer: T) => readonly string[],
  ): Promise<T> {
    const sent = await this.#prepare(path, fields, signal);
    this.#unsettled.add(sent);
    let isUnknown = false;
    try {
      const { requestId } = sent;
      const own = requestId === null ? {} : { request_id: requestId };
      const answer = await request({ ...fields, ...own });
      for (const orderId of idsOf(answer)) this.#learn(orderId);
      return answer;
    } catch (error) {
      isUnknown = error instanceof OutcomeUnknownError;
      if (error instanceof OutcomeUnknownError) this.#sent.set(error, sent);
      throw error;
    } finally {
      if (!isUnknown) this.#unsettled.delete(sent);
    }
  }

  /** Learns of an order that others may have placed: those sent later have higher ids. */
  see(orderId: string): void {
    const number = Number(orderId);
    if (!Number.isSafeInteger(number) || this.#highest === null) return;
    this.#highest = Math.max(this.#highest, number);
  }

  async reconcile(error: OutcomeUnknownError, options: CallOptions): Promise<Reconciliation> {
    const sent = this.#sent.get(error);
    if (sent === undefined)
      throw new TypeError("The error does not come from a request of this client");
    if (kindOf(sent.path) === undefined) return reconciled("repeatable", []);
    const request = { method: "GET", path: "/trading/get_model" } as const;
    const found = await this.#caller.within(request, options, (signal) =>
      sent.requestId === null ? this.#read(sent, signal) : this.#ask(sent.requestId, signal),
    );
    if (found.outcome === "unknown") return found;
    for (const orderId of found.orderIds) this.#learn(orderId);
    this.#unsettled.delete(sent);
    return found;
  }

  async #prepare(path: string, fields: FormFields, signal: AbortSignal): Promise<Sent> {
    const places = kindOf(path) !== undefined;
    const hasIds = places && (await this.#hasRequestIds(signal));
    if (places && !hasIds) await this.#look(signal);
    return {
      path,
      fields,
      link: this.#caller.connection.current,
      requestId: hasIds ? crypto.randomUUID() : null,
      since: this.#highest,
      sentAt: this.#clock.newest,
      closedBefore: this.#closed,
    };
  }

  async #hasRequestIds(signal: AbortSignal): Promise<boolean> {
    try {
      return await this.#extensions.has("request_id", { signal, timeoutMs: 0 });
    } catch (error) {
      if (signal.aborted) throw error;
      return false;
    }
  }

  /** Reads the tables, unless their newest order and the server's time are known. */
  async #look(signal: AbortSignal): Promise<void> {
    if (this.#highest !== null && this.#clock.age < maxClockAgeMs) return;
    try {
      const tables = await readTablesNow(this.#caller, { signal, timeoutMs: 0 });
      this.#highest = Math.max(this.#highest ?? 0, highestOrderId(tables));
      this.#closed = tables.closed.map(({ tradeId }) => tradeId);
      this.#clock.learn(newestPrice(tables));
    } catch (error) {
      // Send the order anyway: what was read may never be needed.
      if (signal.aborted) throw error;
    }
  }

  async #ask(requestId: string, signal: AbortSignal): Promise<Reconciliation> {
    return this.#caller.call(settleCall(requestId), { signal, timeoutMs: 0 });
  }

  async #read(sent: Sent, signal: AbortSignal): Promise<Reconciliation> {
    const { link, since, sentAt, closedBefore } = sent;
    // Ending its connection makes the server refuse a request that is still in flight.
    if (link !== null && !link.broken.aborted) link.close("a request had no answer");
    const tables = await readTablesNow(this.#caller, { signal, timeoutMs: 0 });
    const reading = this.#readingOf(sent, tables);
    const all = [...reading.exact, ...reading.possible];
    const told = since === null ? "unknown" : this.#outcomeOf(sent, reading, tables);
    const isForgotten = told === "not_executed" && mayHaveForgotten(tables, sentAt, closedBefore);
    const outcome = isForgotten ? "unknown" : told;
    return reconciled(outcome, (outcome === "executed" ? reading.exact : all).map(fillOf));
  }

  #readingOf({ path, fields, since }: Sent, tables: TablesNow): Reading {
    return readingOf(
      path,
      fields,
      tables,
      (orderId) => Number(orderId) > (since ?? -1) && !this.#answered.has(orderId),
    );
  }

  #outcomeOf(
    sent: Sent,
    { exact, possible }: Reading,
    tables: TablesNow,
  ): "executed" | "not_executed" | "unknown" {
    if (exact.length === 0 && possible.length === 0) return "not_executed";
    // Somebody else may have placed an order of the same fields.
    if (!this.#isOnlyTrader) return "unknown";
    const expected = { "/trading/simple_oco": 2, "/trading/close_all_for_symbol": exact.length };
    const isOne = exact.length > 0 && exact.length === (Object(expected)[sent.path] ?? 1);
    const isClaimed = [...this.#unsettled]
      .filter((other) => other !== sent && kindOf(other.path) === kindOf(sent.path))
      .flatMap((other) => {
        const reading = this.#readingOf(other, tables);
        return [...reading.exact, ...reading.possible];
      })
      .some((other) => exact.some(({ orderId }) => orderId === other.orderId));
    return isOne && !isClaimed ? "executed" : "unknown";
  }

  #learn(orderId: string): void {
    this.see(orderId);
    this.#answered.add(orderId);
    if (this.#answered.size <= maxAnswered) return;
    for (const oldest of this.#answered) {
      this.#answered.delete(oldest);
      break;
    }
  }
}
