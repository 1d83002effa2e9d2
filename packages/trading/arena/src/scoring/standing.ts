/** How a trader did. Money is in the account's currency. */
export interface Standing {
  readonly rank: number;
  readonly trader: string;
  /** Return over drawdown; null: the simulation failed and nothing was committed. */
  readonly reward: number | null;
  /** The gain in equity as a share of the starting equity. */
  readonly return: number;
  /** The deepest fall of the equity below an earlier peak, as a share of the peak. */
  readonly max_drawdown: number;
  readonly equity: number;
  /** Closed trades. */
  readonly trades: number;
  /** Model answers. */
  readonly steps: number;
}

/** The members of the broker's report that the score uses. */
export interface ReportSummary {
  readonly return: number | null;
  readonly max_drawdown_share: number;
  readonly equity: number;
  readonly trades: number;
}

/** Smaller drawdowns count as this: they are luck, and a drawdown of 0 cannot be a divisor. */
const minDrawdown = 0.001;

/** Return over drawdown, rounded to six decimals. */
export function rewardOf(report: Pick<ReportSummary, "return" | "max_drawdown_share">): number {
  const ratio = (report.return ?? 0) / Math.max(report.max_drawdown_share, minDrawdown);
  return Math.round(ratio * 1e6) / 1e6 + 0;
}

/** Sorts by reward (failed traders last), then by return, then by name. */
export function rank(standings: readonly Omit<Standing, "rank">[]): readonly Standing[] {
  const rewardFor = ({ reward }: { reward: number | null }): number =>
    reward ?? Number.NEGATIVE_INFINITY;
  const order = [...standings].sort(
    (a, b) =>
      Number(rewardFor(b) > rewardFor(a)) - Number(rewardFor(b) < rewardFor(a)) ||
      b.return - a.return ||
      (a.trader < b.trader ? -1 : 1),
  );
  return order.map((standing, index) => ({ rank: index + 1, ...standing }));
}
