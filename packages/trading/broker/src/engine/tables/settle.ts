import type { OcoRecord } from "@proj/trading-client/wire";
import type { Desk } from "../desk.ts";
import { groupOrders } from "../oco-group.ts";
import { accountRow } from "./account-row.ts";
import { offerRow } from "./offer-row.ts";
import { orderRow } from "./order-row.ts";
import { openPositionRow } from "./position-rows.ts";
import { summaryRow } from "./summary-row.ts";

/**
 * Updates the rows whose figures may have changed. Several changes since the last call are pushed as
 * one.
 */
export function settleTables(desk: Desk): void {
  const { tables, book } = desk;
  for (const symbol of drain(tables.touchedOffers)) {
    const instrument = desk.instrument(symbol);
    tables.offers.update(instrument.offerId, offerRow(desk, instrument));
  }
  for (const orderId of drain(tables.touchedOrders)) {
    const order = book.orders.get(orderId);
    if (order !== undefined) tables.orders.update(orderId, orderRow(desk, order));
  }
  for (const ocoBulkId of drain(tables.touchedGroups)) settleGroup(desk, ocoBulkId);
  for (const tradeId of drain(tables.touchedPositions)) {
    const position = book.positions.get(tradeId);
    if (position !== undefined) {
      tables.openPositions.update(tradeId, openPositionRow(desk, position));
    }
  }
  for (const symbol of drain(tables.touchedSummaries)) settleSummary(desk, symbol);
  for (const accountId of drain(tables.touchedAccounts)) {
    tables.accounts.update(accountId, accountRow(desk.account(accountId)));
  }
}

function settleSummary(desk: Desk, symbol: string): void {
  const { summaries } = desk.tables;
  const row = summaryRow(desk, desk.instrument(symbol));
  if (row === null) summaries.remove(symbol);
  else if (summaries.rows.has(symbol)) summaries.update(symbol, row);
  else summaries.insert(symbol, row);
}

function settleGroup(desk: Desk, ocoBulkId: number): void {
  const { groups } = desk.tables;
  const row = groupRow(desk, ocoBulkId);
  const before = groups.rows.get(ocoBulkId);
  if (row === null) groups.remove(ocoBulkId);
  else if (before === undefined) groups.insert(ocoBulkId, row);
  else if (String(before.orderIds) !== String(row.orderIds)) groups.update(ocoBulkId, row);
}

function drain<Key>(keys: Set<Key>): readonly Key[] {
  if (keys.size === 0) return [];
  const drained = [...keys];
  keys.clear();
  return drained;
}

/** Null: the group no longer exists. */
function groupRow(desk: Desk, ocoBulkId: number): OcoRecord | null {
  const orders = groupOrders(desk, ocoBulkId);
  const [first] = orders;
  if (first === undefined) return null;
  const orderIds = orders.map(({ orderId }) => String(orderId));
  return { t: 4, ocoBulkId, accountId: first.accountId, orderIds };
}
