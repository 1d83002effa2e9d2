import type { MarginCallState } from "@proj/trading-client/wire";
import { configuredCurrency } from "./conversion.ts";

/** An account in the configuration; money is in its currency. */
export interface AccountConfig {
  /** Digits without leading zeros. */
  readonly account_id: string;
  /** @default the id padded with zeros to at least ten digits */
  readonly account_name?: string;
  /** Starting balance; afterwards the stored balance counts. */
  readonly balance: number;
  /** Currency code of three capital letters; money is counted in hundredths of it. @default "USD" */
  readonly currency?: string;
  /** Whether a symbol may have bought and sold positions at once. @default false */
  readonly hedging?: boolean;
  /** Equity at which all positions are closed; null: never. @default null */
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
  /** Money added by negative-balance protection. */
  credit: number;
  /** Last balance on the equity curve; -1: none yet. */
  toldBalance: number;
  toldEquity: number;
  /** Sums over its open positions; not stored. */
  grossPL: number;
  maintenanceMargin: number;
  entryMargin: number;
  liquidationMargin: number;
}

/** @throws TypeError an invalid id, name, currency or balance */
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
      `account_name must be ${account_id} padded with leading zeros, but is ${accountName}`,
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
