import type { OcoRecord } from "@proj/trading-client/wire";
import type { Desk } from "../desk.ts";
import { groupOrders } from "../oco-group.ts";

/** Null: the group no longer exists. */
export function groupRow(desk: Desk, ocoBulkId: number): OcoRecord | null {
  const orders = groupOrders(desk, ocoBulkId);
  const [first] = orders;
  if (first === undefined) return null;
  const orderIds = orders.map(({ orderId }) => String(orderId));
  return { t: 4, ocoBulkId, accountId: first.accountId, orderIds };
}
