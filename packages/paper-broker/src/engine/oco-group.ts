import { orderStatus } from "@proj/trading-protocol";
import type { Desk } from "./desk.ts";
import type { Order } from "./order.ts";
import { endOrder } from "./placing.ts";

/** The orders of a group, in the order of their ids. */
export function groupOrders({ book }: Desk, ocoBulkId: number): readonly Order[] {
  if (ocoBulkId === 0) return [];
  return [...book.orders.values()].filter((order) => order.ocoBulkId === ocoBulkId);
}

/** One of a group was executed, be it in part: the others are canceled. */
export function cancelGroup(desk: Desk, order: Order): void {
  for (const other of groupOrders(desk, order.ocoBulkId)) {
    if (other !== order) endOrder(desk, other, orderStatus.canceled);
  }
}
