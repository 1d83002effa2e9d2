import { equityOf } from "../engine/account.ts";
import type { EquityPoint } from "../engine/book.ts";
import type { Engine } from "../engine/engine.ts";
import type { ClosedPosition, Position } from "../engine/position.ts";
import type { MarketStore } from "../state/market-store.ts";
import type { SymbolTotals } from "../state/trade-totals.ts";
import { type ReportSource, startOf } from "./account-report.ts";
import { dailyReturns, type ReportedDay } from "./daily-returns.ts";
import { exposureOf, type OpenSpan } from "./exposure.ts";

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
  days(): readonly ReportedDay[];
  symbols(): readonly SymbolTotals[];
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
  const open = [...engine.book.positionsIn(accountId).values()];
  const days = (start: number): readonly ReportedDay[] =>
    dailyReturns(start, store.pointsOf(accountId), { time: engine.now, equity: equityOf(account) });
  const summary = (): ReportSource => {
    const openCosts = open.reduce((sum, { roll, commission }) => sum + roll + commission, 0);
    return {
      account: { accountId, currency, balance, equity: equityOf(account), credit, openCosts },
      totals: store.tradeTotalsOf(accountId),
      equities: equitiesIn(store.pointsOf(accountId)),
      days,
      exposure: exposureOf(spansOf(store.spansOf(accountId), open, engine.now), engine.now),
    };
  };
  return {
    summary,
    days: () => days(startOf(summary())),
    symbols: () => store.symbolTotalsOf(accountId),
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

function* equitiesIn(points: Iterable<{ readonly equity: number }>): Generator<number> {
  for (const { equity } of points) yield equity;
}

/** Closed trades and open ones, in order of opening. */
function* spansOf(
  closed: Iterable<OpenSpan>,
  open: readonly Position[],
  now: number,
): Generator<OpenSpan> {
  const left = open.map(({ time }) => ({ openTime: time, closeTime: now }));
  for (const span of closed) {
    while (left[0] !== undefined && left[0].openTime <= span.openTime) {
      yield left[0];
      left.shift();
    }
    yield span;
  }
  yield* left;
}
