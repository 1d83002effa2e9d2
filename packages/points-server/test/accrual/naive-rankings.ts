import type { Ranking } from "@proj/points-client";
import type {
  DomainEvent,
  PointsEvent,
  PositionEvent,
  Program,
  SwapEvent,
} from "@proj/points-server";
import type { RankingRecord } from "../storage/read-rankings.ts";
import { type Fraction, floor, plus, zero } from "./fraction.ts";

const day = 86_400;
const kinds = ["position_opened", "position_changed", "position_closed"];

/** What one address has come to. */
interface Account {
  lpPoints: bigint;
  recentLpPoints: bigint;
  swapped: bigint;
  recentlySwapped: bigint;
  swaps: number;
  positions: number;
}

/**
 * The three rankings as the rules say it and nothing else: everything anew from all events, with
 * fractions, looking at every stretch of time in which nothing changes by itself.
 */
export function naiveRankings(
  events: readonly PointsEvent[],
  program: Program,
  time: number,
): Record<Ranking, RankingRecord[]> {
  const known = new Map(events.map((event) => [event.id, event]));
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

  for (const event of happened) {
    if (event.type !== "swap" || !earns(event, program)) continue;
    const own = account(event.address);
    own.swaps += 1;
    own.swapped += BigInt(event.usdValue);
    if (event.time > time - day) own.recentlySwapped += BigInt(event.usdValue);
  }
  const pools = program.promotedPools.map(({ address }) => address);
  const changes = happened.filter(
    (event): event is PositionEvent => "pool" in event && pools.includes(event.pool),
  );
  for (const { owner } of openPositions(changes, time)) account(owner).positions += 1;
  for (const [owner, points] of liquidityPoints(changes, program, 0, time)) {
    account(owner).lpPoints = floor(points);
  }
  for (const [owner, points] of liquidityPoints(changes, program, time - day, time)) {
    account(owner).recentLpPoints = floor(points);
  }

  const scale = 10n ** BigInt(program.pointsDecimal);
  const swapPoints = (usdValue: bigint): bigint =>
    (usdValue * BigInt(program.pointsPerUsd) * BigInt(program.swapMultiplier)) /
    (scale * 1_000_000n);
  const all = [...accounts].map(([address, own]) => ({
    ...{ address, ...own },
    ...{ swapPoints: swapPoints(own.swapped), recent: swapPoints(own.recentlySwapped) },
  }));
  const swapped = all.filter(({ swaps }) => swaps > 0);
  const providers = all.filter(({ positions, lpPoints }) => positions > 0 || lpPoints > 0n);
  // What an address is called is what it is called now.
  const domains = domainsOf([...known.values()]);
  const anywhere = all.filter((own) => swapped.includes(own) || providers.includes(own));
  return {
    total: ranked(anywhere, ({ address, lpPoints, recentLpPoints, swapPoints: own, recent }) => ({
      ...{ address, points: lpPoints + own, last24hPoints: String(recentLpPoints + recent) },
      ...{ lpPoints: String(lpPoints), swapPoints: String(own) },
    })),
    lp: ranked(providers, ({ address, lpPoints, recentLpPoints, positions }) => ({
      ...{ address, points: lpPoints, last24hPoints: String(recentLpPoints), positions },
    })),
    swaps: ranked(swapped, ({ address, swapPoints: own, recent, swaps }) => ({
      ...{ address, points: own, last24hPoints: String(recent), swaps },
      ...(domains.get(address) ? { domain: domains.get(address) } : {}),
    })),
  };
}

function ranked<Account>(
  accounts: readonly Account[],
  record: (account: Account) => { readonly address: string; readonly points: bigint },
): RankingRecord[] {
  return accounts
    .map(record)
    .sort((a, b) => {
      if (a.points !== b.points) return a.points > b.points ? -1 : 1;
      return a.address < b.address ? -1 : 1;
    })
    .map((own, index) => ({ ...own, points: String(own.points), rank: index + 1 }));
}

function earns({ tokenX, tokenY }: SwapEvent, { swapPairs }: Program): boolean {
  const pair = [tokenX, tokenY].sort().join();
  return swapPairs.some((own) => [own.tokenX, own.tokenY].sort().join() === pair);
}

/** By their owners, with how much they hold, after all that had happened by `time`. */
function openPositions(
  changes: readonly PositionEvent[],
  time: number,
): { owner: string; pool: string; liquidity: bigint }[] {
  const last = new Map<string, PositionEvent>();
  const inOrder = changes
    .filter((change) => change.time <= time)
    .sort((a, b) => {
      if (a.time !== b.time) return a.time - b.time;
      if (a.type !== b.type) return kinds.indexOf(a.type) - kinds.indexOf(b.type);
      return a.id < b.id ? -1 : 1;
    });
  for (const change of inOrder) last.set(`${change.pool} ${change.position}`, change);
  return [...last.values()]
    .map(({ address, pool, liquidity = "0" }) => ({
      ...{ owner: address, pool, liquidity: BigInt(liquidity) },
    }))
    .filter(({ liquidity }) => liquidity > 0n);
}

function liquidityPoints(
  changes: readonly PositionEvent[],
  program: Program,
  from: number,
  to: number,
): Map<string, Fraction> {
  const earned = new Map<string, Fraction>();
  for (const promoted of program.promotedPools) {
    const start = Math.max(from, Number(promoted.startCountTimestamp));
    const end = Math.min(to, Number(promoted.endCountTimestamp ?? to));
    const times = changes.map(({ time }) => time).filter((time) => time > start && time < end);
    const borders = [start, ...new Set(times), end].sort((a, b) => a - b);
    for (const [index, border] of borders.entries()) {
      const next = borders[index + 1] ?? border;
      const open = openPositions(changes, border).filter(({ pool }) => pool === promoted.address);
      const all = open.reduce((sum, { liquidity }) => sum + liquidity, 0n);
      if (end <= start || next === border || all === 0n) continue;
      const points = BigInt(promoted.pointsPerSecond) * BigInt(next - border);
      for (const { owner, liquidity } of open) {
        const share = { numerator: points * liquidity, denominator: all };
        earned.set(owner, plus(earned.get(owner) ?? zero, share));
      }
    }
  }
  return earned;
}

function domainsOf(events: readonly PointsEvent[]): Map<string, string> {
  const newest = events
    .filter((event): event is DomainEvent => event.type === "domain")
    .sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1));
  return new Map(newest.map(({ address, domain }) => [address, domain]));
}
