import type { PropertyRecord } from "@proj/trading-client/wire";
import type { Desk } from "../desk.ts";
import { revalue } from "../valuation.ts";
import { accountRow } from "./account-row.ts";
import { offerRow } from "./offer-row.ts";
import { orderRow } from "./order-row.ts";
import { closedPositionRow, openPositionRow } from "./position-rows.ts";
import { settleTables } from "./settle.ts";

/** Creates the rows for the book's records without pushing changes. */
export function fillTables(desk: Desk, properties: readonly PropertyRecord[]): void {
  const { book, tables } = desk;
  for (const position of book.positions.values()) revalue(desk, position);
  for (const instrument of desk.instruments.values()) {
    const { visible } = desk.quote(instrument.symbol);
    if (visible) tables.offers.insert(instrument.offerId, offerRow(desk, instrument));
  }
  for (const [tradeId, position] of book.positions) {
    tables.openPositions.insert(tradeId, openPositionRow(desk, position));
  }
  for (const [tradeId, position] of book.closedPositions) {
    tables.closedPositions.insert(tradeId, closedPositionRow(desk, position));
  }
  for (const [orderId, order] of book.orders) {
    tables.orders.insert(orderId, orderRow(desk, order));
    tables.touchGroup(order);
    if (order.due > 0) desk.nextDue = Math.min(desk.nextDue, order.due);
    if (order.expires > 0) desk.nextExpiry = Math.min(desk.nextExpiry, order.expires);
  }
  for (const [accountId, account] of book.accounts) {
    tables.accounts.insert(accountId, accountRow(account));
  }
  tables.leverageProfiles = [...desk.instruments.values()].map(({ symbol, mmr, emr, lmr }) => ({
    symbol,
    mmr: mmr / 100,
    emr: emr / 100,
    lmr: lmr / 100,
  }));
  tables.properties = properties;
  settleTables(desk);
  tables.take();
}
