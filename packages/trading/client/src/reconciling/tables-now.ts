import { Temporal } from "temporal-polyfill";
import type { CallOptions } from "../calls/call-options.ts";
import type { Caller } from "../calls/caller.ts";
import { snapshotCall } from "../tables/snapshot-call.ts";
import type { TableRow } from "../tables/table-row.ts";
import { readRows } from "../tables/table-rows.ts";
import { tradingDateAt } from "../wire/index.ts";

/** The tables that show what became of orders, all of the same moment. */
export interface TablesNow {
  readonly orders: readonly TableRow<"Order">[];
  readonly open: readonly TableRow<"OpenPosition">[];
  readonly closed: readonly TableRow<"ClosedPosition">[];
  readonly offers: readonly TableRow<"Offer">[];
}

export async function readTablesNow(caller: Caller, options: CallOptions): Promise<TablesNow> {
  const models = ["Order", "OpenPosition", "ClosedPosition", "Offer"] as const;
  const snapshot = await caller.call(snapshotCall(models), options);
  return {
    orders: readRows("Order", snapshot.get("Order") ?? []),
    open: readRows("OpenPosition", snapshot.get("OpenPosition") ?? []),
    closed: readRows("ClosedPosition", snapshot.get("ClosedPosition") ?? []),
    offers: readRows("Offer", snapshot.get("Offer") ?? []),
  };
}

/** The time of the newest price; null: there is none. */
export function newestPrice({ offers }: TablesNow): Temporal.Instant | null {
  const times = offers.flatMap(({ time }) => time ?? []);
  return times.sort(Temporal.Instant.compare).at(-1) ?? null;
}

export function highestOrderId({ orders, open, closed }: TablesNow): number {
  const ids = [...orders, ...open, ...closed].map(({ orderId }) => orderId);
  const closings = closed.map(({ closeOrderId }) => closeOrderId);
  const known = [...ids, ...closings].map(Number).filter(Number.isSafeInteger);
  return Math.max(0, ...known);
}

/** The market may stand still for so long without a price. */
const quietMs = 15 * 60_000;
/** A table of closed positions with this many rows may have dropped others. */
const maxClosed = 1000;

/**
 * Whether the tables may have forgotten trades closed since a time: the server empties ClosedPosition when the
 * trading day ends, and drops the oldest rows of a long one.
 * @param before a time at the server before these trades; null: unknown
 * @param closedBefore trades that ClosedPosition had then
 */
export function mayHaveForgotten(
  now: TablesNow,
  before: number | null,
  closedBefore: readonly string[],
): boolean {
  const newest = newestPrice(now);
  // A day also ends while the market is closed and has no prices to tell the time by.
  const isOpen = now.offers.some(({ buyTradable }) => buyTradable);
  if (before === null || newest === null || !isOpen) return true;
  const since = tradingDateAt(Temporal.Instant.fromEpochMilliseconds(before));
  if (!since.equals(tradingDateAt(newest.add({ milliseconds: quietMs })))) return true;
  const closed = new Set(now.closed.map(({ tradeId }) => tradeId));
  return closed.size >= maxClosed || closedBefore.some((tradeId) => !closed.has(tradeId));
}
