import { equityOf } from "../engine/account.ts";
import type { Engine } from "../engine/engine.ts";
import type { MarketStore } from "../state/market-store.ts";
import type { ReportSource } from "./account-report.ts";

/** Most trades, and most points of the curve, that a report reads; the newest count. */
const maxRows = 200_000;

/** @returns null: unknown account */
export function readReportSource(
  { engine, store }: { readonly engine: Engine; readonly store: MarketStore },
  accountId: string,
): ReportSource | null {
  const account = engine.book.accounts.get(accountId);
  if (account === undefined) return null;
  const open = [...engine.book.positionsIn(accountId).values()];
  return {
    account: {
      accountId,
      currency: account.currency,
      balance: account.balance,
      equity: equityOf(account),
      credit: account.credit,
      openCosts: open.reduce((sum, { roll, commission }) => sum + roll + commission, 0),
    },
    closed: store.closedOf(accountId, maxRows),
    curve: store.equityOf(accountId, maxRows),
  };
}
