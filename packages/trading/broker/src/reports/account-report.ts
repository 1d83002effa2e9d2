import type { ClosedPosition } from "../engine/position.ts";
import { type Instrument, rateOf } from "../instruments/instrument.ts";
import type { SymbolTotals, TradeTotals } from "../state/trade-totals.ts";
import { type ReportedDay, sharpeOf, sortinoOf } from "./daily-returns.ts";

/** Money is in the account's currency, times are ISO 8601. */
export interface ReportedTrade {
  readonly trade_id: string;
  readonly order_id: string;
  readonly close_order_id: string;
  readonly symbol: string;
  readonly side: "buy" | "sell";
  /** Thousands. */
  readonly amount: number;
  readonly open_time: string;
  readonly close_time: string;
  readonly open: number;
  readonly close: number;
  readonly pips: number;
  readonly gross_profit: number;
  readonly swap: number;
  readonly commission: number;
  readonly net_profit: number;
  /** Of the orders that opened and closed it; empty: none. */
  readonly client_tag: string;
  readonly close_client_tag: string;
}

/** The report on an account. Money is in its currency; undefined figures are null. */
export interface AccountReport {
  readonly account_id: string;
  readonly currency: string;
  readonly start_balance: number;
  readonly balance: number;
  readonly equity: number;
  /** Gain in equity since the start, without forgiven debt. */
  readonly net_profit: number;
  /** `net_profit` as a share of the starting balance. */
  readonly return: number | null;
  readonly trades: number;
  readonly wins: number;
  readonly losses: number;
  /** Wins as a share of wins and losses. */
  readonly win_rate: number | null;
  readonly gross_profit: number;
  /** 0 or negative. */
  readonly gross_loss: number;
  /** Money won per unit of money lost. */
  readonly profit_factor: number | null;
  readonly average_win: number | null;
  readonly average_loss: number | null;
  readonly swap: number;
  readonly commission: number;
  /** Mean net profit of a trade. */
  readonly expectancy: number | null;
  /** Of daily returns, for a year of 260 days; null: fewer than two days, or no change (Sortino: no day lost). */
  readonly sharpe: number | null;
  readonly sortino: number | null;
  /** The share of the time since the first trade in which a position was open. */
  readonly exposure: number | null;
  /** The deepest fall of the equity below an earlier peak. */
  readonly max_drawdown: number;
  /** The deepest fall as a share of its peak. May be a different fall. */
  readonly max_drawdown_share: number;
}

/** The data of a report's summary. Money is in cents. */
export interface ReportSource {
  readonly account: {
    readonly accountId: string;
    readonly currency: string;
    readonly balance: number;
    readonly equity: number;
    readonly credit: number;
    /** Swaps and commission of open positions, already in the balance. */
    readonly openCosts: number;
  };
  readonly totals: TradeTotals;
  /** The equity at each point of the curve, oldest first. */
  readonly equities: Iterable<number>;
  /** Its trading days, from its starting equity in cents. */
  readonly days?: (start: number) => readonly ReportedDay[];
  readonly exposure?: number | null;
}

/** The trades of one symbol and side. Money is in the account's currency. */
export interface ReportedSymbol {
  readonly symbol: string;
  readonly side: "buy" | "sell";
  readonly trades: number;
  readonly wins: number;
  /** Thousands, or contracts. */
  readonly amount: number;
  readonly gross_profit: number;
  readonly swap: number;
  readonly commission: number;
  readonly net_profit: number;
}

/** What the account had before its first trade, in cents. */
export function startOf({ account, totals }: Pick<ReportSource, "account" | "totals">): number {
  return account.balance - account.credit - account.openCosts - totals.won - totals.lost;
}

export function reportOf(source: ReportSource): AccountReport {
  const { account, totals, equities } = source;
  const { trades, wins, losses, won, lost, roll, commission } = totals;
  const { balance, equity, credit, accountId, currency } = account;
  const start = startOf(source);
  const days = source.days?.(start) ?? [];
  const gain = equity - credit - start;
  const [fall, share] = deepestFall(start, equities, equity);
  return {
    account_id: accountId,
    currency,
    start_balance: start / 100,
    balance: balance / 100,
    equity: equity / 100,
    net_profit: gain / 100,
    return: ratio(gain, start),
    trades,
    wins,
    losses,
    win_rate: ratio(wins, wins + losses),
    gross_profit: won / 100,
    gross_loss: lost / 100,
    profit_factor: ratio(won, -lost),
    average_win: cents(ratio(won, wins)),
    average_loss: cents(ratio(lost, losses)),
    swap: roll / 100,
    commission: commission / 100,
    expectancy: cents(ratio(won + lost, trades)),
    sharpe: sharpeOf(days),
    sortino: sortinoOf(days),
    exposure: source.exposure ?? null,
    max_drawdown: fall / 100,
    max_drawdown_share: share,
  };
}

export function reportedTrade(instrument: Instrument, trade: ClosedPosition): ReportedTrade {
  const { side, open, close } = trade;
  return {
    trade_id: String(trade.tradeId),
    order_id: String(trade.orderId),
    close_order_id: String(trade.closeOrderId),
    symbol: trade.symbol,
    side: side === 1 ? "buy" : "sell",
    amount: trade.amount,
    open_time: new Date(trade.openTime).toISOString(),
    close_time: new Date(trade.closeTime).toISOString(),
    open: rateOf(instrument, open),
    close: rateOf(instrument, close),
    pips: (side * (close - open)) / instrument.pipPoints + 0,
    gross_profit: trade.grossPL / 100,
    swap: trade.roll / 100,
    commission: trade.commission / 100,
    net_profit: (trade.grossPL + trade.roll + trade.commission) / 100,
    client_tag: trade.clientTag,
    close_client_tag: trade.closeClientTag,
  };
}

export function reportedSymbol({ side, grossPL, roll, ...totals }: SymbolTotals): ReportedSymbol {
  const { symbol, trades, wins, amount, commission } = totals;
  return {
    ...{ symbol, side: side === 1 ? "buy" : "sell", trades, wins, amount },
    ...{ gross_profit: grossPL / 100, swap: roll / 100, commission: commission / 100 },
    net_profit: (grossPL + roll + commission) / 100,
  };
}

/** In money and as a share of the peak; these may be two different falls. */
function deepestFall(
  start: number,
  values: Iterable<number>,
  end: number,
): readonly [money: number, share: number] {
  let peak = start;
  let money = 0;
  let share = 0;
  const see = (value: number): void => {
    peak = Math.max(peak, value);
    money = Math.max(money, peak - value);
    if (peak > 0) share = Math.max(share, (peak - value) / peak);
  };
  for (const value of values) see(value);
  see(end);
  return [money, rounded(share)];
}

const ratio = (part: number, whole: number): number | null =>
  whole === 0 ? null : rounded(part / whole);

const cents = (money: number | null): number | null =>
  money === null ? null : Math.round(money) / 100;

/** Rounded to six decimals. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;
