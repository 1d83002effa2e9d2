import type { TableRow } from "../tables/table-row.ts";
import type { FormFields } from "../wire/index.ts";
import type { FoundOrder } from "./found-orders.ts";

/**
 * - `exact`: every field that was sent is seen in the tables
 * - `possible`: some field cannot be seen, or somebody may have changed it since
 * - `no`: it is another order
 */
export type Fit = "exact" | "possible" | "no";

/** What a request asks for: one order of its fields. */
export interface Wanted {
  readonly kind: "market" | "entry";
  readonly account_id: string;
  readonly symbol: string;
  readonly is_buy: boolean;
  readonly amount: number;
  readonly rate: number;
  readonly stop: number;
  readonly limit: number;
  readonly isInPips: boolean;
  readonly step: number;
  readonly timeInForce: string;
}

/** @param leg `2` for the second order of an OCO pair */
export function wantedOf(kind: Wanted["kind"], fields: FormFields, leg: "" | "2" = ""): Wanted {
  const number = (name: string): number => Number(fields[`${name}${leg}`] ?? 0);
  return {
    kind,
    account_id: String(fields.account_id),
    symbol: String(fields.symbol),
    is_buy: fields[`is_buy${leg}`] === true,
    amount: Number(fields.amount),
    ...{ rate: number("rate"), stop: number("stop"), limit: number("limit") },
    ...{ isInPips: fields.is_in_pips === true, step: number("trailing_stop_step") },
    timeInForce: String(fields.time_in_force),
  };
}

/** @param offer of the symbol; undefined: hidden, so that pips cannot be read */
export function fitOrder(
  found: FoundOrder,
  wanted: Wanted,
  offer: TableRow<"Offer"> | undefined,
): Fit {
  const { resting, open, opened, closed } = found;
  const isOther =
    found.accountId !== wanted.account_id ||
    found.symbol !== wanted.symbol ||
    found.isBuy !== wanted.is_buy ||
    !isAmount(found.amount, wanted) ||
    (resting !== null && !isSameOrder(resting, found, wanted));
  if (isOther) return "no";
  const isWhole = found.amount === wanted.amount;
  const isAsked = (row: Protected): boolean => isProtected(row, wanted, offer);
  const rows = [
    ...(resting === null ? [] : [{ ...resting, open: resting.buy + resting.sell }]),
    ...open,
  ];
  const isPlain = wanted.stop === 0 && wanted.limit === 0 && wanted.step === 0;
  // A closed trade no longer shows its stop and limit.
  const isSeen = isPlain || (opened.length === 0 && closed.length === 0);
  const isRateSeen =
    wanted.kind === "market" ||
    (resting === null
      ? open.every((row) => isNear(row.open, wanted.rate, offer)) && opened.length === 0
      : isNear(resting.buy + resting.sell, wanted.rate, offer));
  return isWhole && isSeen && isRateSeen && rows.every(isAsked) ? "exact" : "possible";
}

/** Only an order that is canceled once it cannot be filled further may have traded less, and not wait for the rest. */
function isAmount(found: number, { amount, timeInForce }: Wanted): boolean {
  return timeInForce === "IOC" ? found <= amount : found === amount;
}

/** What nobody changes on a waiting order. */
function isSameOrder(
  resting: TableRow<"Order">,
  { amount }: FoundOrder,
  { kind, timeInForce, amount: wanted }: Wanted,
): boolean {
  return (
    resting.isEntryOrder === (kind === "entry") &&
    resting.timeInForce === timeInForce &&
    amount === wanted
  );
}

interface Protected {
  /** The rate that pips are counted from. */
  readonly open: number;
  readonly stop: number;
  readonly limit: number;
  readonly stopMove: number;
}

function isProtected(
  row: Protected,
  { stop, limit, isInPips, step, is_buy }: Wanted,
  offer: TableRow<"Offer"> | undefined,
): boolean {
  const isAsked = (seen: number, wanted: number): boolean => {
    if (wanted === 0 || seen === 0) return wanted === seen;
    if (!isInPips) return isNear(seen, wanted, offer);
    return offer !== undefined && isNear(seen, row.open + wanted * offer.pip, offer);
  };
  // The stop of a trailing order moves away from where it was put, in the order's favour.
  const hasTrailed = step > 0 && row.stop !== 0 && (is_buy ? 1 : -1) * (row.stop - stop) >= 0;
  const isStopAsked = isAsked(row.stop, stop) || (hasTrailed && !isInPips);
  return row.stopMove === step && isStopAsked && isAsked(row.limit, limit);
}

/** Equal to within half of the last digit. */
function isNear(seen: number, wanted: number, offer: TableRow<"Offer"> | undefined): boolean {
  const digits = offer?.ratePrecision ?? 5;
  return Math.abs(seen - wanted) <= 0.51 * 10 ** -digits;
}
