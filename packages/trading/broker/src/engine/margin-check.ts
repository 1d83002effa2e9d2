import type { Refusal } from "@proj/trading-client/wire";
import type { Instrument } from "../instruments/instrument.ts";
import { type Account, equityOf } from "./account.ts";
import type { Desk } from "./desk.ts";
import type { Position } from "./position.ts";
import { refuse } from "./refusal.ts";
import { marginOf } from "./valuation.ts";

/**
 * Checks whether an account may deal an amount that first closes these positions and opens the rest.
 * @returns the refusal, or null
 */
export function checkMargin(
  desk: Desk,
  account: Account,
  instrument: Instrument,
  amount: number,
  closings: readonly Position[],
): Refusal | null {
  const margin = (of: number): number => marginOf(desk, account, instrument, instrument.emr, of);
  let opening = amount;
  let released = 0;
  for (const position of closings) {
    const part = Math.min(opening, position.amount);
    opening -= part;
    released += position.entryMargin - margin(position.amount - part);
  }
  if (opening === 0) return null;
  const { accountId, marginCall, equityStop } = account;
  if (marginCall !== "N") return refuse.accountRestricted(accountId, marginCall);
  const equity = equityOf(account);
  if (equityStop !== null && equity <= equityStop) return refuse.accountRestricted(accountId, "Q");
  const needed = margin(opening);
  const free = equity - account.entryMargin + released;
  if (needed > free) return refuse.notEnoughMargin(needed, free);
  const { positions } = desk.limits;
  return desk.book.positionsIn(accountId).size >= positions
    ? refuse.tooMany("positions", positions)
    : null;
}
