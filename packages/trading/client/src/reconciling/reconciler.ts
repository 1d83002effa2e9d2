import type { FormFields } from "@proj/trading-protocol";
import type { CallOptions } from "../calls/call-options.ts";
import type { Caller } from "../calls/caller.ts";
import type { Link } from "../connection/link.ts";
import { OutcomeUnknownError } from "../errors/outcome-unknown-error.ts";
import { snapshotCall } from "../tables/snapshot-call.ts";
import { readRows } from "../tables/table-rows.ts";
import { findOrders, ordersPlaced, type TablesNow } from "./find-orders.ts";
import type { Reconciliation } from "./reconciliation.ts";

/** A request that was sent but not answered. */
interface Sent {
  readonly path: string;
  readonly fields: FormFields;
  /** The connection it was sent over. */
  readonly link: Link | null;
  /** The highest order id before it; null: unknown. */
  readonly since: number | null;
}

/** Most answered order ids to remember, to rule them out when reconciling; the oldest are forgotten. */
const maxAnswered = 10_000;

/**
 * Finds out what became of unanswered requests. Order ids grow, so an order with a higher id than any before the
 * request comes from that request, or from somebody else who makes the same trade.
 */
export class Reconciler {
  readonly #caller: Caller;
  readonly #sent = new WeakMap<OutcomeUnknownError, Sent>();
  readonly #answered = new Set<string>();
  #highest: number | null = null;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Sends a request that places orders, and remembers it in case its answer does not arrive. */
  async send<T>(
    path: string,
    fields: FormFields,
    signal: AbortSignal,
    request: () => Promise<T>,
    idsOf: (answer: T) => readonly string[],
  ): Promise<T> {
    const since = path in ordersPlaced ? await this.#since(signal) : null;
    const link = this.#caller.connection.current;
    try {
      const answer = await request();
      for (const orderId of idsOf(answer)) this.#learn(orderId);
      return answer;
    } catch (error) {
      if (error instanceof OutcomeUnknownError)
        this.#sent.set(error, { path, fields, link, since });
      throw error;
    }
  }

  async reconcile(error: OutcomeUnknownError, options: CallOptions): Promise<Reconciliation> {
    const sent = this.#sent.get(error);
    if (sent === undefined)
      throw new TypeError("The error does not come from a request of this client");
    const expected = ordersPlaced[sent.path];
    if (expected === undefined) return { outcome: "repeatable", orderIds: [], tradeIds: [] };
    const request = { method: "GET", path: "/trading/get_model" } as const;
    return this.#caller.within(request, options, async (signal) => {
      const { link } = sent;
      // Ending its connection makes the server refuse a request that is still in flight.
      if (link !== null && !link.broken.aborted) link.close("a request had no answer");
      const tables = await this.#tables(signal);
      const traces = findOrders(sent.path, sent.fields, tables).filter(
        ({ orderId }) => Number(orderId) > (sent.since ?? -1) && !this.#answered.has(orderId),
      );
      const orderIds = [...new Set(traces.map(({ orderId }) => orderId))];
      const tradeIds = [...new Set(traces.flatMap(({ tradeId }) => tradeId ?? []))];
      const isTold =
        sent.since !== null &&
        (orderIds.length === 0 || orderIds.length === (expected ?? orderIds.length));
      const found = orderIds.length === 0 ? "not_executed" : "executed";
      if (isTold) for (const orderId of orderIds) this.#learn(orderId);
      return { outcome: isTold ? found : "unknown", orderIds, tradeIds };
    });
  }

  /** The highest order id so far; the client's first order reads the tables for it. */
  async #since(signal: AbortSignal): Promise<number | null> {
    if (this.#highest !== null) return this.#highest;
    try {
      const { orders, open, closed } = await this.#tables(signal);
      const ids = [...orders, ...open, ...closed].map(({ orderId }) => orderId);
      const closings = closed.map(({ closeOrderId }) => closeOrderId);
      const known = [...ids, ...closings].map(Number).filter(Number.isSafeInteger);
      this.#highest = Math.max(this.#highest ?? 0, ...known);
    } catch (error) {
      // Send the order anyway: the id may never be needed.
      if (signal.aborted) throw error;
    }
    return this.#highest;
  }

  async #tables(signal: AbortSignal): Promise<TablesNow> {
    const models = ["Order", "OpenPosition", "ClosedPosition"] as const;
    const call = snapshotCall(models);
    const snapshot = await this.#caller.call(call, { signal, timeoutMs: 0 });
    return {
      orders: readRows("Order", snapshot.get("Order") ?? []),
      open: readRows("OpenPosition", snapshot.get("OpenPosition") ?? []),
      closed: readRows("ClosedPosition", snapshot.get("ClosedPosition") ?? []),
    };
  }

  #learn(orderId: string): void {
    const number = Number(orderId);
    if (Number.isSafeInteger(number)) this.#highest = Math.max(this.#highest ?? 0, number);
    this.#answered.add(orderId);
    if (this.#answered.size <= maxAnswered) return;
    for (const oldest of this.#answered) {
      this.#answered.delete(oldest);
      break;
    }
  }
}
