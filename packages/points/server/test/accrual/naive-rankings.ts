import type { Ranking } from "@proj/points-client";
import type {
  DomainEvent,
  PointsEvent,
  PositionEvent,
  PriceEvent,
  Program,
  SwapEvent,
} from "@proj/points-server";
import type { RankingRecord } from "../storage/read-rankings.ts";

const day = 86_400;
const kinds = ["position_opened", "position_changed", "position_closed"];

/** The sums of one address. */
interface Account {
  lpPoints: bigint;
  recentLpPoints: bigint;
  swapped: bigint;
  recentlySwapped: bigint;
  swaps: number;
  positions: number;
}

/** A program and its starting time; the first one also covers all time before it. */
export interface DatedProgram {
  readonly from: number;
  readonly program: Program;
}

/** The rules at a time: those of the last program up to then, with its changes up to then. */
function rulesAt(history: readonly DatedProgram[], time: number): Program {
  const [first, ...others] = history;
  if (first === undefined) throw new Error("there are no rules");
  const { program } = others.findLast(({ from }) => from <= time) ?? first;
  const changes = (program.rateChanges ?? [])
    .filter(({ startTimestamp }) => Number(startTimestamp) <= time)
    .toSorted((a, b) => Number(a.startTimestamp) - Number(b.startTimestamp));
  return Object.assign({ ...program }, ...changes);
}

/**
 * The three rankings, written straight from the rules: everything is computed from all events each time,
 * over every period in which nothing changes.
 */
export function naiveRankings(
  events: readonly PointsEvent[],
  history: readonly DatedProgram[],
  time: number,
  span: { readonly start: number; readonly end: number } = { start: 0, end: Infinity },
): Record<Ranking, RankingRecord[]> {
  const program = rulesAt(history, Infinity);
  const arrived = new Map(events.map((event) => [event.id, event]));
  const taken = new Set([...arrived.values()].map((event) => "target" in event && event.target));
  const known = new Map([...arrived].filter(([id]) => !taken.has(id)));
  const happened = [...known.values()].filter((event) => event.time <= time);
  const accounts = new Map<string, Account>();
  const account = (address: string): Account => {
    const found = accounts.get(address) ?? {
      ...{ lpPoints: 0n, recentLpPoints: 0n, swapped: 0n, recentlySwapped: 0n },
      ...{ swaps: 0, positions: 0 },
    };
    accounts.set(address, found);
    return found;
  };

  const prices = happened
    .filter((event): event is PriceEvent => event.type === "price")
    .sort(inSequence);
  for (const event of happened) {
    if (event.type !== "swap" || event.time < span.start || event.time >= span.end) continue;
    const rules = rulesAt(history, event.time);
    if (!earns(event, rules)) continue;
    const own = account(event.address);
    const rate = BigInt(rules.pointsPerUsd) * BigInt(rules.swapMultiplier);
    const value = usdValue(event, prices, rules.swapPriceMaxAge ?? 3_600);
    own.swaps += 1;
    own.swapped += value * rate;
    if (event.time > time - day) own.recentlySwapped += value * rate;
  }
  const pools = history
    .flatMap(({ program }, index) => {
      const from = Math.max(span.start, index === 0 ? 0 : (history[index]?.from ?? 0));
      const until = Math.min(span.end, history[index + 1]?.from ?? Infinity);
      return program.promotedPools.filter(
        ({ startCountTimestamp: start, endCountTimestamp: end = Infinity }) =>
          Math.max(from, Number(start)) < Math.min(until, Number(end)),
      );
    })
    .map(({ address }) => address);
  const changes = happened.filter(
    (event): event is PositionEvent => "pool" in event && pools.includes(event.pool),
  );
  for (const { address } of openPositions(changes, time)) account(address).positions += 1;
  for (const [owner, points] of liquidityPoints(
    changes,
    history,
    span.start,
    Math.min(span.end, time),
  )) {
    account(owner).lpPoints = floor(points);
  }
  for (const [owner, points] of liquidityPoints(
    ...([changes, history, Math.max(span.start, time - day), Math.min(span.end, time)] as const),
  )) {
    account(owner).recentLpPoints = floor(points);
  }

  const scale = 10n ** BigInt(program.pointsDecimal);
  const swapPoints = (value: bigint): bigint => value / (scale * 1_000_000n);
  const all = [...accounts].map(([address, own]) => ({
    ...{ address, ...own },
    ...{ swapPoints: swapPoints(own.swapped), recent: swapPoints(own.recentlySwapped) },
  }));
  const swapped = all.filter(({ swaps }) => swaps > 0);
  const providers = all.filter(({ positions, lpPoints }) => positions > 0 || lpPoints > 0n);
  // An address is shown with its current domain.
  const domains = domainsOf([...known.values()]);
  const isShared = program.ranking?.ties === "shared";
  const anywhere = all.filter((own) => swapped.includes(own) || providers.includes(own));
  return {
    total: ranked(
      anywhere,
      isShared,
      ({ address, lpPoints, recentLpPoints, swapPoints: own, recent }) => ({
        ...{ address, points: lpPoints + own, last24hPoints: String(recentLpPoints + recent) },
        ...{ lpPoints: String(lpPoints), swapPoints: String(own) },
      }),
    ),
    lp: ranked(providers, isShared, ({ address, lpPoints, recentLpPoints, positions }) => ({
      ...{ address, points: lpPoints, last24hPoints: String(recentLpPoints), positions },
    })),
    swaps: ranked(swapped, isShared, ({ address, swapPoints: own, recent, swaps }) => ({
      ...{ address, points: own, last24hPoints: String(recent), swaps },
      ...(domains.get(address) ? { domain: domains.get(address) } : {}),
    })),
  };
}

function ranked<Account>(
  accounts: readonly Account[],
  isShared: boolean,
  record: (account: Account) => { readonly address: string; readonly points: bigint },
): RankingRecord[] {
  return accounts
    .map(record)
    .sort((a, b) => {
      if (a.points !== b.points) return a.points > b.points ? -1 : 1;
      return a.address < b.address ? -1 : 1;
    })
    .map((own, index, all) => {
      const rank = isShared ? all.filter(({ points }) => points > own.points).length : index;
      return { ...own, points: String(own.points), rank: rank + 1 };
    });
}

function earns({ tokenX, tokenY }: SwapEvent, { swapPairs }: Program): boolean {
  const pair = [tokenX, tokenY].sort().join();
  return swapPairs.some((own) => [own.tokenX, own.tokenY].sort().join() === pair);
}

/** The value of a swap: its own, or else by the last price up to its time. @param prices in their order */
function usdValue(swap: SwapEvent, prices: readonly PriceEvent[], maxAge: number): bigint {
  if (swap.usdValue !== undefined) return BigInt(swap.usdValue);
  const price = prices.findLast(
    ({ token, time }) => token === swap.amountToken && time <= swap.time,
  );
  if (price === undefined || swap.time - price.time > maxAge) return 0n;
  const numerator = BigInt(swap.amount) * BigInt(price.price) * 1_000_000n;
  return numerator / (10n ** BigInt(swap.amountDecimals) * 10n ** BigInt(price.priceDecimals));
}

/** In the order in which they take effect. */
const inOrder = (changes: readonly PositionEvent[]): readonly PositionEvent[] =>
  changes.toSorted((a, b) => {
    if (a.time !== b.time) return a.time - b.time;
    const [first, second] = [a.sequence ?? 0, b.sequence ?? 0];
    if (first !== second) return first - second;
    if (a.type !== b.type) return kinds.indexOf(a.type) - kinds.indexOf(b.type);
    return a.id < b.id ? -1 : 1;
  });

const keyOf = ({ pool, position }: PositionEvent): string => `${pool} ${position}`;
const isOpen = ({ liquidity = "0" }: PositionEvent): boolean => BigInt(liquidity) > 0n;

/** The last change of each position that is open after all events up to `time`. */
function openPositions(changes: readonly PositionEvent[], time: number): readonly PositionEvent[] {
  const before = inOrder(changes).filter((change) => change.time <= time);
  return [...new Map(before.map((change) => [keyOf(change), change])).values()].filter(isOpen);
}

/**
 * Shares are rounded down to this fraction of a point. A sum is closer to a whole number below it than all of its terms
 * together could be rounded only if it is that number.
 */
const fractionBits = 1024n;
const whole = 1n << fractionBits;
const slack = 1n << 64n;
const floor = (points: bigint): bigint => (points + slack) / whole;

function liquidityPoints(
  changes: readonly PositionEvent[],
  history: readonly DatedProgram[],
  from: number,
  to: number,
): Map<string, bigint> {
  const earned = new Map<string, bigint>();
  const dated = history.flatMap(({ from, program }, index) =>
    program.promotedPools.map((promoted) => ({
      ...{ promoted, valid: index === 0 ? 0 : from, until: history[index + 1]?.from ?? Infinity },
    })),
  );
  for (const { promoted, valid, until } of dated) {
    const start = Math.max(from, valid, Number(promoted.startCountTimestamp));
    const end = Math.min(to, until, Number(promoted.endCountTimestamp ?? to));
    const own = inOrder(changes.filter(({ pool }) => pool === promoted.address));
    const times = own.map(({ time }) => time).filter((time) => time > start && time < end);
    const borders = [...new Set([start, ...times, end])].sort((a, b) => a - b);
    const last = new Map<string, PositionEvent>();
    let used = 0;
    for (const [index, border] of borders.entries()) {
      const next = borders[index + 1] ?? border;
      for (let change = own[used]; change !== undefined && change.time <= border; ) {
        last.set(keyOf(change), change);
        used += 1;
        change = own[used];
      }
      const open = [...last.values()].filter(isOpen);
      const all = open.reduce((sum, { liquidity = "0" }) => sum + BigInt(liquidity), 0n);
      if (end <= start || next === border || all === 0n) continue;
      const points = BigInt(promoted.pointsPerSecond) * BigInt(next - border) * whole;
      for (const { address, liquidity = "0" } of open)
        earned.set(address, (earned.get(address) ?? 0n) + (points * BigInt(liquidity)) / all);
    }
  }
  return earned;
}

function domainsOf(events: readonly PointsEvent[]): Map<string, string> {
  const newest = events
    .filter((event): event is DomainEvent => event.type === "domain")
    .sort(inSequence);
  const current = new Map(newest.map((event) => [event.address, event]));
  // A domain that several addresses took belongs to the last of them.
  const taken = [...current.values()].sort(inSequence);
  const owners = new Map(taken.map(({ address, domain }) => [domain.toLowerCase(), address]));
  const owned = taken.filter(({ address, domain }) => owners.get(domain.toLowerCase()) === address);
  return new Map(owned.map(({ address, domain }) => [address, domain]));
}

const inSequence = (a: PointsEvent, b: PointsEvent): number =>
  a.time - b.time || (a.sequence ?? 0) - (b.sequence ?? 0) || (a.id < b.id ? -1 : 1);
