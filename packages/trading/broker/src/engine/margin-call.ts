import { orderStatus } from "@proj/trading-client/wire";
import { type Account, equityOf } from "./account.ts";
import { closePositions } from "./close-positions.ts";
import type { Desk } from "./desk.ts";
import type { Position } from "./position.ts";

/** Enforces every account's margin and equity stop. */
export function checkAccounts(desk: Desk): void {
  for (const account of desk.book.accounts.values()) {
    const { size } = desk.book.positionsIn(account.accountId);
    if (size === 0 && account.balance < 0) protectBalance(desk, account);
    if (size === 0 && account.marginCall !== "W") continue;
    checkAccount(desk, account, size > 0);
    const isEmpty = desk.book.positionsIn(account.accountId).size === 0;
    if (isEmpty && account.balance < 0) protectBalance(desk, account);
  }
}

/** The broker bears the loss that exceeds the account's money. */
function protectBalance(desk: Desk, account: Account): void {
  if (!desk.fills.protectsBalance) return;
  account.credit -= account.balance;
  account.balance = 0;
  touchAccount(desk, account);
}

function checkAccount(desk: Desk, account: Account, hasPositions: boolean): void {
  const equity = equityOf(account);
  if (hasPositions && account.equityStop !== null && equity <= account.equityStop) {
    restrict(desk, account, "Q");
    liquidate(desk, account, orderStatus.equityStop);
  } else if (hasPositions && equity < account.liquidationMargin) {
    restrict(desk, account, "Y");
    liquidate(desk, account, orderStatus.marginCall);
  } else if (hasPositions && equity < account.maintenanceMargin) {
    if (account.marginCall === "N") restrict(desk, account, "W");
  } else if (account.marginCall === "W") {
    lift(desk, account);
  }
}

function restrict(desk: Desk, account: Account, state: "W" | "Y" | "Q"): void {
  if (account.marginCall === state || account.marginCall === "Q") return;
  account.marginCall = state;
  account.marginCallTime = desk.now;
  touchAccount(desk, account);
}

/** Lifts an account's restriction. */
export function lift(desk: Desk, account: Account): void {
  account.marginCall = "N";
  account.marginCallTime = 0;
  touchAccount(desk, account);
}

function touchAccount({ book, tables }: Desk, { accountId }: Account): void {
  book.unsaved.accounts.add(accountId);
  tables.touchedAccounts.add(accountId);
}

function liquidate(
  desk: Desk,
  { accountId }: Account,
  status: typeof orderStatus.marginCall | typeof orderStatus.equityStop,
): void {
  const { book } = desk;
  const begun = new Set(
    [...book.orders.values()].flatMap(({ type, trades }) => (type === "M" ? trades : [])),
  );
  const isToClose = ({ tradeId, symbol }: Position) =>
    !begun.has(tradeId) && desk.isOpen(desk.instrument(symbol));
  const positions = [...book.positionsIn(accountId).values()].filter(isToClose);
  closePositions(desk, positions, { type: "M", status, timeInForce: "GTC" });
}
