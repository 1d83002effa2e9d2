import type { TableRow } from "../tables/table-row.ts";
import type { ReconciledOrder } from "./reconciliation.ts";
import type { TablesNow } from "./tables-now.ts";

type Closed = TableRow<"ClosedPosition">;

/** All that the tables show of one order. */
export interface FoundOrder {
  readonly orderId: string;
  readonly accountId: string;
  readonly symbol: string;
  readonly isBuy: boolean;
  /** Its own row, while it waits. */
  readonly resting: TableRow<"Order"> | null;
  readonly open: readonly TableRow<"OpenPosition">[];
  /** Trades that it opened and that have been closed since. */
  readonly opened: readonly Closed[];
  /** Trades that it closed. */
  readonly closed: readonly Closed[];
  /** Thousands: filled and waiting. */
  readonly amount: number;
  readonly tradeIds: readonly string[];
}

/** The orders in the tables, apart from the stops and limits of positions. */
export function ordersIn({ orders, open, closed }: TablesNow): readonly FoundOrder[] {
  const resting = orders.filter(({ type }) => !["S", "ST", "L"].includes(type));
  const ids = [...resting, ...open, ...closed].map(({ orderId }) => orderId);
  const all = new Set([...ids, ...closed.map(({ closeOrderId }) => closeOrderId)]);
  return [...all].flatMap((orderId) => {
    const rows = {
      resting: resting.find((row) => row.orderId === orderId) ?? null,
      open: open.filter((row) => row.orderId === orderId),
      opened: closed.filter((row) => row.orderId === orderId),
      closed: closed.filter((row) => row.closeOrderId === orderId),
    };
    const trades = [...rows.closed, ...rows.open, ...rows.opened];
    const own = rows.resting ?? rows.open[0] ?? rows.opened[0];
    const some = own ?? rows.closed[0];
    if (some === undefined) return [];
    const filled = trades.reduce((sum, { amountK }) => sum + amountK, 0);
    return {
      ...rows,
      orderId,
      accountId: some.accountName.replace(/^0+/, ""),
      symbol: some.currency,
      // An order closes positions of the other side.
      isBuy: own === undefined ? !some.isBuy : own.isBuy,
      amount: filled + (rows.resting?.amountK ?? 0),
      tradeIds: [...new Set(trades.map(({ tradeId }) => tradeId))],
    };
  });
}

/** What the tables show of an order's fill. */
export function fillOf({ orderId, tradeIds, open, opened, closed }: FoundOrder): ReconciledOrder {
  const fills = [
    ...[...open, ...opened].map((row) => ({ amount: row.amountK, rate: row.open })),
    ...closed.map((row) => ({ amount: row.amountK, rate: row.close })),
  ];
  const amount = fills.reduce((sum, fill) => sum + fill.amount, 0);
  const value = fills.reduce((sum, fill) => sum + fill.amount * fill.rate, 0);
  const grossPL = closed.reduce((sum, row) => sum + row.grossPL, 0);
  return {
    ...{ orderId, tradeIds, amount },
    rate: amount === 0 ? null : value / amount,
    // Rounded to cents: sums of fractions leave rounding errors.
    grossPL: closed.length === 0 ? null : Math.round(grossPL * 100) / 100,
  };
}
