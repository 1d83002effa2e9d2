import type { CallOptions } from "../calls/call-options.ts";
import type { Caller } from "../calls/caller.ts";
import type { Link } from "../connection/link.ts";
import { snapshotCall } from "../tables/snapshot-call.ts";
import type { TableChange } from "../tables/table-change.ts";
import type { TableFeed } from "../tables/table-feed.ts";
import { readRows } from "../tables/table-rows.ts";
import type { PlacedOrder } from "./order-requests.ts";
import { type ExpectedOrder, TrackedOrder } from "./tracked-order.ts";

/** Finds the trades of orders in the pushes of the Order table. */
export class OrderTracker {
  readonly #caller: Caller;
  readonly #tables: TableFeed;
  readonly #open = new Map<string, TrackedOrder>();
  /**
   * For each order being placed, the orders pushed meanwhile: a push may arrive before the answer
   * with the order's id.
   */
  readonly #placings = new Set<Map<string, TrackedOrder>>();

  constructor(caller: Caller, tables: TableFeed) {
    this.#caller = caller;
    this.#tables = tables;
  }

  /** @param send places the order; called once the Order table is subscribed */
  place(
    path: string,
    expected: ExpectedOrder,
    options: CallOptions,
    send: (options: CallOptions) => Promise<readonly PlacedOrder[]>,
  ): Promise<readonly TrackedOrder[]> {
    return this.#caller.within({ method: "POST", path }, options, async (signal) => {
      await this.#tables.subscribe("Order", { signal, timeoutMs: 0 });
      const link = this.#caller.connection.current;
      const seen = new Map<string, TrackedOrder>();
      this.#placings.add(seen);
      try {
        const placed = await send({ signal, timeoutMs: 0 });
        return placed.map(({ orderId }) => {
          const order = seen.get(orderId) ?? new TrackedOrder(orderId);
          this.#follow(order, expected, link);
          return order;
        });
      } finally {
        this.#placings.delete(seen);
      }
    });
  }

  #follow(order: TrackedOrder, expected: ExpectedOrder, link: Link | null): void {
    order.expect(expected);
    if (order.outcome !== null) return;
    this.#open.set(order.orderId, order);
    const { current } = this.#caller.connection;
    // Without a connection, the lookup happens on the next one.
    if (link !== current) order.mayHaveMissedPushes = true;
    if (order.mayHaveMissedPushes && current !== null) void this.#lookUp([order]);
  }

  onChange(change: TableChange<"Order">): void {
    // Missed changes are looked up after reconnecting.
    if (change.isSynthetic) return;
    for (const order of this.#ordersOf(change.key)) {
      order.apply(change);
      if (change.action !== "D") continue;
      if (!order.mayHaveMissedPushes) this.#end(order, true);
      else if (this.#open.has(change.key)) void this.#lookUp([order]);
    }
  }

  onDisconnected(): void {
    for (const orders of [this.#open, ...this.#placings]) {
      for (const order of orders.values()) order.mayHaveMissedPushes = true;
    }
  }

  onConnected(): void {
    void this.#lookUp(
      [...this.#open.values()].filter(({ mayHaveMissedPushes }) => mayHaveMissedPushes),
    );
  }

  /** The Order table has been unsubscribed. */
  onUnsubscribed(): void {
    for (const order of this.#open.values()) this.#end(order, false);
  }

  close(error: Error): void {
    for (const order of this.#open.values()) order.fail(error);
    this.#open.clear();
  }

  *#ordersOf(orderId: string): Generator<TrackedOrder> {
    const open = this.#open.get(orderId);
    if (open !== undefined) {
      yield open;
      return;
    }
    for (const seen of this.#placings) {
      const order = seen.get(orderId) ?? new TrackedOrder(orderId);
      seen.set(orderId, order);
      yield order;
    }
  }

  /** Completes orders that missed pushes, from the current tables. */
  async #lookUp(orders: readonly TrackedOrder[]): Promise<void> {
    if (orders.length === 0) return;
    const { connection } = this.#caller;
    const link = connection.current;
    try {
      const snapshot = await this.#caller.call(
        snapshotCall(["Order", "OpenPosition", "ClosedPosition"]),
      );
      const rows = readRows("Order", snapshot.get("Order") ?? []);
      const positions = [
        ...readRows("OpenPosition", snapshot.get("OpenPosition") ?? []),
        ...readRows("ClosedPosition", snapshot.get("ClosedPosition") ?? []),
      ];
      for (const order of orders) {
        const isWhole = order.addPositions(
          positions.filter((row) =>
            [row.orderId, "closeOrderId" in row ? row.closeOrderId : ""].some(
              (orderId) => String(orderId) === order.orderId,
            ),
          ),
        );
        const row = rows.find(({ orderId }) => String(orderId) === order.orderId);
        if (row === undefined && !this.#isMirrored(order)) this.#end(order, isWhole);
        // Not if the connection has broken since: more may have been missed.
        else if (row !== undefined && connection.current === link) order.compare(row);
      }
    } catch {
      // After a reconnect there is another lookup; on this connection there is not.
      if (connection.current !== link) return;
      for (const order of orders) if (!this.#isMirrored(order)) this.#end(order, false);
    }
  }

  /** As long as the mirror has the order, its end has not been pushed. */
  #isMirrored({ orderId }: TrackedOrder): boolean {
    return this.#tables.rows("Order")?.has(orderId) ?? false;
  }

  #end(order: TrackedOrder, isComplete: boolean): void {
    order.end(isComplete);
    this.#open.delete(order.orderId);
  }
}
