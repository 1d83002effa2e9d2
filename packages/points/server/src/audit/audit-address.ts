import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { Accounts } from "../accrual/accounts.ts";
import { accrue } from "../accrual/accrue.ts";
import type { BaseStorage } from "../accrual/base.ts";
import { compileRules, type Rules } from "../accrual/rules.ts";
import { packTexts } from "../bytes/packed-texts.ts";
import { eventKinds } from "../ledger/event-kind.ts";
import { LedgerReader } from "../ledger/ledger-reader.ts";
import { ProgramHistory } from "../program/program-history.ts";
import { NoSnapshotError } from "../snapshots/no-snapshot-error.ts";
import type { PointsDatabase, PointsSource } from "../storage/source.ts";
import { type AuditedSwap, auditSwaps } from "./audit-swaps.ts";

/** How an address got its points, as of the newest snapshot. Points are scaled by `pointsDecimal`. */
export interface AddressAudit {
  readonly address: string;
  /** The snapshot's time in Unix seconds. */
  readonly time: number;
  /** The total in the snapshot: the sum of all parts, rounded down once. */
  readonly points: string;
  readonly lp_points: string;
  readonly swap_points: string;
  /** What each pool paid, rounded down. */
  readonly pools: readonly { readonly pool: string; readonly points: string }[];
  /** What each swap earned, rounded down. */
  readonly swaps: readonly AuditedSwap[];
}

const findSnapshot = query(({ db }: PointsSource) =>
  db
    .selectFrom("snapshots")
    .select(["time", "seq"])
    .where("state", "=", "published")
    .where("season", "=", "")
    .orderBy("id", "desc")
    .limit(1),
);
const findEvents = query(({ db, dialect }: PointsSource) =>
  db
    .selectFrom("events")
    .innerJoin("streams", "streams.id", "events.stream")
    .select(["events.id", "events.time", "events.kind", "events.position", "events.amount"])
    .select("streams.key")
    .where("address", "=", parameter<string>("address"))
    .where("time", "<=", parameter<number>("time"))
    .where("seq", "<=", parameter<number>("seq"))
    .where((build) =>
      build.or([
        build("retracted_seq", "is", null),
        build("retracted_seq", ">", parameter<number>("seq")),
      ]),
    )
    .orderBy("events.time")
    .orderBy("events.id", (order) => order.collate(dialect.byteOrder)),
);

const noBase: BaseStorage = { async *readBase() {}, writeBase: async () => {} };

/** @throws NoSnapshotError, the signal's reason */
export async function auditAddress(
  database: PointsDatabase,
  address: string,
  signal: AbortSignal,
): Promise<AddressAudit> {
  const [snapshot] = (await database.run(findSnapshot)).rows;
  if (snapshot === undefined) throw new NoSnapshotError();
  const { time, seq } = snapshot;
  const rules = compileRules(await new ProgramHistory(database).read());
  const { rows } = await database.run(findEvents, { address, time, seq });
  const source = new LedgerReader(database);
  const streams = await source.streams();
  const earnedBy = async (part: Rules) => {
    const accounts: Accounts = await accrue({
      ...{ source, streams, rules: part, signal, time, seq },
      ...{ base: null, storage: noBase, expected: 0, writesBase: false },
    });
    const [number = 0] = accounts.book.numbersOf(packTexts([address]));
    return accounts.earnings(number, part.swaps);
  };
  const keys = new Set(rows.filter(({ kind }) => kind !== eventKinds.swap).map(({ key }) => key));
  const own = new Map([...rules.promotions].filter(([pool]) => keys.has(`pool/${pool}`)));
  const pools: { pool: string; points: string }[] = [];
  for (const entry of own) {
    const { lpPoints } = await earnedBy({
      ...rules,
      swapPeriods: new Map(),
      promotions: new Map([entry]),
    });
    pools.push({ pool: entry[0], points: String(lpPoints) });
  }
  const whole = await earnedBy({ ...rules, promotions: own });
  const swapped = rows.filter(({ kind }) => kind === eventKinds.swap);
  const swaps = await auditSwaps(database, swapped, { rules, streams, seq });
  return {
    ...{ address, time, pools, swaps },
    points: String(whole.lpPoints + whole.swapPoints),
    lp_points: String(whole.lpPoints),
    swap_points: String(whole.swapPoints),
  };
}
