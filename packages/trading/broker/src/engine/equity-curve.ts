import { type Account, equityOf } from "./account.ts";
import type { Desk } from "./desk.ts";

/** Adds a point to an account's equity curve if its worth has changed. */
export function recordEquity({ book, now }: Desk, account: Account): void {
  const { accountId, balance } = account;
  const equity = equityOf(account);
  if (balance === account.toldBalance && equity === account.toldEquity) return;
  account.toldBalance = balance;
  account.toldEquity = equity;
  book.unsaved.accounts.add(accountId);
  book.unsaved.equityPoints.add({ accountId, time: now, balance, equity });
}
