import { orderStatus } from "@proj/trading-client/wire";
import type { Desk } from "./desk.ts";
import type { Order } from "./order.ts";
import { endOrder } from "./placing.ts";

/** The orders of a group, in order of id. */
export function groupOrders({ book }: Desk, ocoBulkId: number): readonly Order[] {
  if (ocoBulkId === 0) return [];
  return [...book.orders.values()].filter((order) => order.ocoBulkId === ocoBulkId);
}

/** Cancels the others of a group once one order has executed, even in part. */
export function cancelGroup(desk: Desk, order: Order): void {
  for (const other of groupOrders(desk, order.ocoBulkId)) {
    if (other !== order) endOrder(desk, other, orderStatus.canceled);
  }
}
