/** How a trader did. Money is in the account's currency. */
export interface Standing {
  readonly rank: number;
  readonly trader: string;
  /** From -2 to 1, see `rewardOf`; the mean of all matches; null: a simulation failed and nothing was committed. */
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

/** Smaller drawdowns count as this: they are luck. */
const minDrawdown = 0.005;
/** A loss weighs this much more than a gain: a bet that wins as often as it loses does not pay. */
const lossWeight = 2;

/**
 * The reward of one match, from -2 to 1: the return over the deepest drawdown, where a gain of 1 drawdown is worth
 * half, one of many nearly 1, and a loss counts double. Doing nothing is 0, which a coin toss with all the margin does
 * not reach on average. Rounded to six decimals.
 */
export function rewardOf(report: Pick<ReportSummary, "return" | "max_drawdown_share">): number {
  const ratio = (report.return ?? 0) / Math.max(report.max_drawdown_share, minDrawdown);
  const reward = ratio > 0 ? ratio / (1 + ratio) : lossWeight * Math.max(ratio, -1);
  return Math.round(reward * 1e6) / 1e6 + 0;
}

type Result = Omit<Standing, "rank">;

/** A trader's results of all matches as one: means, sums and the deepest drawdown. It failed if it failed in one. */
export function overall(matches: readonly Result[]): Result {
  const [first] = matches;
  if (first === undefined) throw new TypeError("there was no match");
  const sum = (figure: (match: Result) => number): number =>
    matches.reduce((total, match) => total + figure(match), 0);
  const mean = (figure: (match: Result) => number): number =>
    Math.round((sum(figure) / matches.length) * 1e6) / 1e6;
  return {
    trader: first.trader,
    reward: matches.some(({ reward }) => reward === null)
      ? null
      : mean(({ reward }) => reward ?? 0),
    return: mean((match) => match.return),
    max_drawdown: Math.max(...matches.map(({ max_drawdown }) => max_drawdown)),
    equity: Math.round(mean(({ equity }) => equity) * 100) / 100,
    trades: sum(({ trades }) => trades),
    steps: sum(({ steps }) => steps),
  };
}

/** Whether the trader never traded: it has no trade, and no open position moved its equity. */
export function isIdle({ trades, return: gain }: Pick<Result, "trades" | "return">): boolean {
  return trades === 0 && gain === 0;
}

/** Sorts by reward, then by return, then by name; those who never traded come after all who did, failed ones last. */
export function rank(standings: readonly Result[]): readonly Standing[] {
  const tier = (standing: Result): number =>
    standing.reward === null ? 2 : Number(isIdle(standing));
  const order = [...standings].sort(
    (a, b) =>
      tier(a) - tier(b) ||
      (b.reward ?? 0) - (a.reward ?? 0) ||
      b.return - a.return ||
      (a.trader < b.trader ? -1 : 1),
  );
  return order.map((standing, index) => ({ rank: index + 1, ...standing }));
}
