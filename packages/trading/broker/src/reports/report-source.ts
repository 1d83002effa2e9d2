import { equityOf } from "../engine/account.ts";
import type { EquityPoint } from "../engine/book.ts";
import type { Engine } from "../engine/engine.ts";
import type { ClosedPosition } from "../engine/position.ts";
import type { MarketStore } from "../state/market-store.ts";
import type { ReportSource } from "./account-report.ts";

/** Most rows of a list in a report. */
const maxRows = 200_000;

/** The newest rows of a list, oldest first, and how many older ones there are. */
export interface NewestRows<Row> {
  readonly rows: readonly Row[];
  readonly leftOut: number;
}

/** The data of a report, read when it is asked for. */
export interface ReportSources {
  summary(): ReportSource;
  trades(): NewestRows<ClosedPosition>;
  equity(): NewestRows<EquityPoint>;
}

/** @returns null: unknown account */
export function readReportSources(
  { engine, store }: { readonly engine: Engine; readonly store: MarketStore },
  accountId: string,
): ReportSources | null {
  const account = engine.book.accounts.get(accountId);
  if (account === undefined) return null;
  const { currency, balance, credit } = account;
  return {
    summary: () => {
      const open = [...engine.book.positionsIn(accountId).values()];
      const openCosts = open.reduce((sum, { roll, commission }) => sum + roll + commission, 0);
      return {
        account: { accountId, currency, balance, equity: equityOf(account), credit, openCosts },
        totals: store.tradeTotalsOf(accountId),
        equities: store.equitiesOf(accountId),
      };
    },
    trades: () => {
      const rows = store.closedOf(accountId, maxRows);
      return { rows, leftOut: store.tradeTotalsOf(accountId).trades - rows.length };
    },
    equity: () => {
      const rows = store.equityOf(accountId, maxRows);
      return { rows, leftOut: store.countPointsOf(accountId) - rows.length };
    },
  };
}
