import { type AccountRecord, formatWireTime } from "@proj/trading-client/wire";
import { type Account, equityOf } from "../account.ts";

export function accountRow(account: Account): AccountRecord {
  const equity = equityOf(account);
  const usable = equity - account.maintenanceMargin;
  const usable3 = equity - account.liquidationMargin;
  return {
    t: 6,
    ratePrecision: 0,
    accountId: account.accountId,
    accountName: account.accountName,
    balance: account.balance / 100,
    equity: equity / 100,
    grossPL: account.grossPL / 100,
    dayPL: (equity - account.dayStartEquity) / 100,
    usdMr: account.maintenanceMargin / 100,
    usdMr3: account.liquidationMargin / 100,
    usableMargin: usable / 100,
    usableMargin3: usable3 / 100,
    usableMarginPerc: percentOf(usable, equity),
    usableMargin3Perc: percentOf(usable3, equity),
    mc: account.marginCall,
    mcDate: account.marginCallTime === 0 ? "" : formatWireTime(account.marginCallTime),
    hedging: account.hedging ? "Y" : "N",
  };
}

/** With five decimals. */
function percentOf(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.round((part / whole) * 1e7) / 1e5;
}
