import type { FormFields } from "@proj/trading-protocol";
import type { TableRow } from "../tables/table-row.ts";

/** The tables after a request. */
export interface TablesNow {
  readonly orders: readonly TableRow<"Order">[];
  readonly open: readonly TableRow<"OpenPosition">[];
  readonly closed: readonly TableRow<"ClosedPosition">[];
}

/** An order found in a table, with the trade it opened or closed. */
export interface Trace {
  readonly orderId: string;
  readonly tradeId: string | null;
}

/** Number of orders that a request places; null: one or more. */
export const ordersPlaced: Readonly<Record<string, number | null>> = {
  "/trading/open_trade": 1,
  "/trading/close_trade": 1,
  "/trading/create_entry_order": 1,
  "/trading/simple_oco": 2,
  "/trading/close_all_for_symbol": null,
};

/** The orders with the request's kind, account, symbol and side, whenever they were placed. */
export function findOrders(path: string, fields: FormFields, tables: TablesNow): readonly Trace[] {
  if (path === "/trading/close_trade") return closingsOf(String(fields.trade_id), tables);
  const isClosing = path === "/trading/close_all_for_symbol";
  const ofAccount = (row: { readonly accountName: string; readonly currency: string }) =>
    row.accountName.replace(/^0+/, "") === String(fields.account_id) &&
    (row.currency === fields.symbol || (isClosing && fields.forSymbol === false));
  const sides = [fields.is_buy, fields.is_buy2].filter((side) => side !== undefined).map(String);
  const isOfSide = (isBuy: boolean) => isClosing || sides.includes(String(isBuy));
  // A position's stops and limits are not placed by these requests.
  const resting = tables.orders.filter(
    ({ type, isBuy }) => !["S", "ST", "L"].includes(type) && isOfSide(isBuy),
  );
  return [
    ...resting.filter(ofAccount).map(({ orderId }) => ({ orderId, tradeId: null })),
    ...[...tables.open, ...tables.closed]
      .filter((row) => !isClosing && ofAccount(row) && isOfSide(row.isBuy))
      .map(({ orderId, tradeId }) => ({ orderId, tradeId })),
    // An order closes positions of the other side.
    ...tables.closed
      .filter((row) => ofAccount(row) && isOfSide(!row.isBuy))
      .map(({ closeOrderId, tradeId }) => ({ orderId: closeOrderId, tradeId })),
  ];
}

/** A closed part has its own trade id, but the order id of the whole position. */
function closingsOf(trade_id: string, { orders, open, closed }: TablesNow): readonly Trace[] {
  const rows = [...open, ...closed];
  const of = rows.find(({ tradeId }) => tradeId === trade_id);
  if (of === undefined) return [];
  const isOfIt = (row: { readonly tradeId: string; readonly orderId: string }) =>
    row.tradeId === trade_id || row.orderId === of.orderId;
  const resting = orders.filter(
    ({ type, currency, isBuy }) =>
      type.startsWith("C") && currency === of.currency && isBuy !== of.isBuy,
  );
  return [
    ...closed
      .filter(isOfIt)
      .map(({ closeOrderId, tradeId }) => ({ orderId: closeOrderId, tradeId })),
    ...resting.map(({ orderId }) => ({ orderId, tradeId: null })),
  ];
}
