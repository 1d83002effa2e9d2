import type { MarginCallState } from "@proj/trading-protocol";
import { configuredCurrency } from "./conversion.ts";

/** An account as the configuration says it; money is in its currency. */
export interface AccountConfig {
  /** Digits without leading zeros. */
  readonly account_id: string;
  /** @default the id with zeros before it, ten digits at least */
  readonly account_name?: string;
  /** What it begins with; afterwards the stored balance counts. */
  readonly balance: number;
  /** What its money is in, to hundredths: three capital letters. @default "USD" */
  readonly currency?: string;
  /** Whether bought and sold positions of one symbol may exist side by side. @default false */
  readonly hedging?: boolean;
  /** Its positions are closed when its equity falls to this; null: never. @default null */
  readonly equity_stop?: number | null;
}

/** Money is in cents: hundredths of its currency. */
export interface Account {
  readonly accountId: string;
  readonly accountName: string;
  readonly currency: string;
  readonly hedging: boolean;
  readonly equityStop: number | null;
  balance: number;
  dayStartEquity: number;
  marginCall: MarginCallState;
  /** When `marginCall` left `N`; 0 while it is `N`. */
  marginCallTime: number;
  /** What negative-balance protection has given it. */
  credit: number;
  /** What the equity curve was last told; -1: nothing yet. */
  toldBalance: number;
  toldEquity: number;
  /** Sums over its open positions; they are not stored. */
  grossPL: number;
  maintenanceMargin: number;
  entryMargin: number;
  liquidationMargin: number;
}

/** @throws TypeError the id, the name or the balance cannot be */
export function createAccount(config: AccountConfig): Account {
  const { account_id, hedging = false, equity_stop = null } = config;
  const { currency = configuredCurrency } = config;
  const accountName = config.account_name ?? `0${account_id}`.padStart(10, "0");
  const balance = Math.round(config.balance * 100);
  if (!/^[1-9]\d*$/.test(account_id)) {
    throw new TypeError(`account_id must be digits without leading zeros, but is ${account_id}`);
  }
  if (!/^0+/.test(accountName) || accountName.replace(/^0+/, "") !== account_id) {
    throw new TypeError(
      `account_name must be ${account_id} with zeros before it, but is ${accountName}`,
    );
  }
  if (!/^[A-Z]{3}$/.test(currency)) {
    throw new TypeError(`currency must be three capital letters, but is ${currency}`);
  }
  if (!Number.isSafeInteger(balance) || balance < 0) {
    throw new TypeError(`The balance of the account ${account_id} must not be negative`);
  }
  return {
    accountId: account_id,
    accountName,
    currency,
    hedging,
    equityStop: equity_stop === null ? null : Math.round(equity_stop * 100),
    balance,
    dayStartEquity: balance,
    marginCall: "N",
    marginCallTime: 0,
    credit: 0,
    toldBalance: -1,
    toldEquity: -1,
    grossPL: 0,
    maintenanceMargin: 0,
    entryMargin: 0,
    liquidationMargin: 0,
  };
}

export function equityOf(account: Account): number {
  return account.balance + account.grossPL;
}
