import type { FormFields } from "../wire/index.ts";
import { fitOrder, type Wanted, wantedOf } from "./fit-order.ts";
import { type FoundOrder, ordersIn } from "./found-orders.ts";
import type { TablesNow } from "./tables-now.ts";

/** The orders that a request may have placed. */
export interface Reading {
  /** They account for the whole request in every field that was sent. */
  readonly exact: readonly FoundOrder[];
  /** They may be its orders, but a field cannot be seen or differs. */
  readonly possible: readonly FoundOrder[];
}

/** The requests that place orders. Those with the same kind could be taken for each other. */
const kinds: Readonly<Record<string, string>> = {
  "/trading/open_trade": "open",
  "/trading/create_entry_order": "open",
  "/trading/simple_oco": "open",
  "/trading/close_trade": "close",
  "/trading/close_all_for_symbol": "close",
};

/** Undefined: the request places no orders. */
export const kindOf = (path: string): string | undefined => kinds[path];

/**
 * Reads what became of a request from the tables.
 * @param isNew whether the request can have placed the order: it came later, and was not the answer to another
 */
export function readingOf(
  path: string,
  fields: FormFields,
  tables: TablesNow,
  isNew: (orderId: string) => boolean,
): Reading {
  const found = ordersIn(tables).filter(({ orderId }) => isNew(orderId));
  switch (path) {
    case "/trading/close_trade":
      return closingOf(String(fields.trade_id), Number(fields.amount ?? 0), tables, found);
    case "/trading/close_all_for_symbol":
      return closingsOf(fields, tables, found, isNew);
    case "/trading/simple_oco":
      return pairOf(fields, tables, found);
    default: {
      const kind = path === "/trading/open_trade" ? "market" : "entry";
      return orderOf(wantedOf(kind, fields), tables, found);
    }
  }
}

function orderOf(wanted: Wanted, { offers }: TablesNow, found: readonly FoundOrder[]): Reading {
  const offer = offers.find(({ currency }) => currency === wanted.symbol);
  const of = (fit: string) => found.filter((order) => fitOrder(order, wanted, offer) === fit);
  return { exact: of("exact"), possible: of("possible") };
}

/** Both orders of a pair; its group shows which two belong together. */
function pairOf(fields: FormFields, tables: TablesNow, found: readonly FoundOrder[]): Reading {
  const [first, second] = (["", "2"] as const).map((leg) =>
    orderOf(wantedOf("entry", fields, leg), tables, found),
  );
  const pairs = (first?.exact ?? []).flatMap((one) =>
    (second?.exact ?? [])
      .filter((two) => two !== one && isGrouped(one, two))
      .map((two) => [one, two]),
  );
  const [pair] = pairs;
  if (pairs.length === 1 && pair !== undefined) return { exact: pair, possible: [] };
  const some = [first, second].flatMap((leg) => [...(leg?.exact ?? []), ...(leg?.possible ?? [])]);
  return { exact: [], possible: [...new Set(some)] };
}

function isGrouped({ resting: one }: FoundOrder, { resting: two }: FoundOrder): boolean {
  const group = one?.ocoBulkId ?? 0;
  return group !== 0 && group === two?.ocoBulkId;
}

/** A closed part has its own trade id, but the order id of the whole position. */
function closingOf(
  trade_id: string,
  amount: number,
  { open, closed }: TablesNow,
  found: readonly FoundOrder[],
): Reading {
  const of = [...open, ...closed].find(({ tradeId }) => tradeId === trade_id);
  if (of === undefined) return { exact: [], possible: [] };
  const isOfIt = (order: FoundOrder): boolean =>
    order.closed.some((row) => row.tradeId === trade_id || row.orderId === of.orderId);
  const waits = ({ resting, symbol, accountId, isBuy }: FoundOrder): boolean =>
    resting?.type.startsWith("C") === true &&
    symbol === of.currency &&
    accountId === of.accountName.replace(/^0+/, "") &&
    isBuy !== of.isBuy;
  const all = found.filter((order) => isOfIt(order) || waits(order));
  // All of it: the last part to be closed keeps the trade's id. Otherwise only the amount tells.
  const isExact = (order: FoundOrder): boolean =>
    amount === 0
      ? order.closed.some(({ tradeId }) => tradeId === trade_id)
      : isOfIt(order) && order.amount === amount;
  return { exact: all.filter(isExact), possible: all.filter((order) => !isExact(order)) };
}

/** One order for each symbol and side; nothing older may be left open. */
function closingsOf(
  fields: FormFields,
  { open }: TablesNow,
  found: readonly FoundOrder[],
  isNew: (orderId: string) => boolean,
): Reading {
  const isAsked = (accountId: string, symbol: string): boolean =>
    accountId === String(fields.account_id) &&
    (symbol === fields.symbol || fields.forSymbol === false);
  const all = found.filter(
    ({ accountId, symbol, resting, closed }) =>
      isAsked(accountId, symbol) && (closed.length > 0 || resting?.type.startsWith("C")),
  );
  const isLeft = open.some(
    ({ accountId, currency, orderId }) => isAsked(accountId, currency) && !isNew(orderId),
  );
  const groups = new Set(all.map(({ symbol, isBuy }) => `${symbol} ${isBuy}`));
  const isExact = groups.size === all.length && all.every(({ resting }) => resting === null);
  return isExact && !isLeft ? { exact: all, possible: [] } : { exact: [], possible: all };
}
