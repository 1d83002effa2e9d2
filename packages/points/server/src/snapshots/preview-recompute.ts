import { query } from "@proj/database";
import { accrue } from "../accrual/accrue.ts";
import type { BaseStorage } from "../accrual/base.ts";
import { compileRules } from "../accrual/rules.ts";
import { LedgerReader } from "../ledger/ledger-reader.ts";
import type { Program } from "../program/program.ts";
import { ProgramHistory } from "../program/program-history.ts";
import { type DatedRules, ruleSetOf } from "../program/rule-set.ts";
import type { PointsDatabase, PointsSource } from "../storage/source.ts";

/** What would change if the current rules applied to all events ever. */
export interface RecomputePreview {
  /** Addresses in either of the two rankings. */
  readonly addresses: number;
  /** How many of them would have other points. */
  readonly changed: number;
  /** Sums of all points, scaled by `pointsDecimal`. */
  readonly points_before: string;
  readonly points_after: string;
  /** The ten largest changes. */
  readonly largest: readonly {
    readonly address: string;
    readonly points_before: string;
    readonly points_after: string;
  }[];
}

const shown = 10;
const findLastSeq = query(({ db }: PointsSource) => db.selectFrom("ledger").select("last_seq"));
const noBase: BaseStorage = { async *readBase() {}, writeBase: async () => {} };

export async function previewRecompute(
  database: PointsDatabase,
  program: Program,
  { signal, time = Math.floor(Date.now() / 1000) }: { signal: AbortSignal; time?: number },
): Promise<RecomputePreview> {
  const ledger = new LedgerReader(database);
  const [row] = (await database.run(findLastSeq)).rows;
  const seq = row?.last_seq ?? 0;
  const pointsBy = async (history: readonly DatedRules[]): Promise<Map<string, bigint>> => {
    const rules = compileRules(history);
    const streams = await ledger.streams();
    const accounts = await accrue({
      ...{ source: ledger, streams, rules, signal, time, seq },
      ...{ base: null, storage: noBase, expected: 0, writesBase: false },
    });
    const points = new Map<string, bigint>();
    for (let number = 0; number < accounts.book.size; number += 1) {
      const { lpPoints, swapPoints } = accounts.earnings(number, rules.swaps);
      points.set(accounts.book.addressOf(number), lpPoints + swapPoints);
    }
    return points;
  };
  const known = await new ProgramHistory(database).read();
  const now = [{ valid_from: 0, rules: ruleSetOf(program) }];
  const before = await pointsBy(known.length === 0 ? now : known);
  const after = await pointsBy(now);
  const addresses = new Set([...before.keys(), ...after.keys()]);
  const changes = [...addresses]
    .map((address) => ({
      ...{ address, was: before.get(address) ?? 0n, is: after.get(address) ?? 0n },
    }))
    .filter(({ was, is }) => was !== is);
  const sumOf = (points: Map<string, bigint>): string =>
    String([...points.values()].reduce((sum, own) => sum + own, 0n));
  const size = ({ was, is }: { was: bigint; is: bigint }): bigint =>
    was > is ? was - is : is - was;
  const largest = changes.sort((a, b) => (size(a) > size(b) ? -1 : 1)).slice(0, shown);
  return {
    ...{ addresses: addresses.size, changed: changes.length },
    ...{ points_before: sumOf(before), points_after: sumOf(after) },
    largest: largest.map(({ address, was, is }) => ({
      ...{ address, points_before: String(was), points_after: String(is) },
    })),
  };
}
