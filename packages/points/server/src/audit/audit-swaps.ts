import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import { isYoungEnough, type Price, usdValueOf } from "../accrual/price.ts";
import type { Rules } from "../accrual/rules.ts";
import { pairKey, priceKey } from "../ledger/streams.ts";
import type { PointsDatabase, PointsSource } from "../storage/source.ts";

export interface AuditedSwap {
  readonly id: string;
  /** Unix seconds. */
  readonly time: number;
  readonly pair: string;
  /** Millionths of a dollar; null: the event had no value, and there was no price. */
  readonly usd_value: string | null;
  readonly points: string;
}

/** A swap's event, with the key of its stream. */
interface SwapRow {
  readonly id: string;
  readonly time: number;
  readonly key: string;
  readonly position: string | null;
  readonly amount: string;
}

interface SwapAuditOptions {
  readonly rules: Rules;
  /** The numbers of streams by their keys. */
  readonly streams: ReadonlyMap<string, number>;
  /** The snapshot's `seq`. */
  readonly seq: number;
}

const findPrice = query(({ db, dialect }: PointsSource) =>
  db
    .selectFrom("events")
    .select(["time", "amount", "position"])
    .where("stream", "=", parameter<number>("stream"))
    .where("time", "<=", parameter<number>("time"))
    .where("seq", "<=", parameter<number>("seq"))
    .where((build) =>
      build.or([
        build("retracted_seq", "is", null),
        build("retracted_seq", ">", parameter<number>("seq")),
      ]),
    )
    .orderBy("time", "desc")
    .orderBy("sequence", "desc")
    .orderBy("id", (order) => order.collate(dialect.byteOrder).desc())
    .limit(1),
);

/** What each swap earned, rounded down. */
export async function auditSwaps(
  database: PointsDatabase,
  swaps: readonly SwapRow[],
  { rules, streams, seq }: SwapAuditOptions,
): Promise<readonly AuditedSwap[]> {
  const priceAt = async (token: string, time: number): Promise<Price | null> => {
    const stream = streams.get(priceKey(token));
    if (stream === undefined) return null;
    const [found] = (await database.run(findPrice, { stream, time, seq })).rows;
    if (found === undefined) return null;
    return { time: found.time, amount: BigInt(found.amount), decimals: Number(found.position) };
  };
  const audited: AuditedSwap[] = [];
  for (const { id, time, key, position, amount } of swaps) {
    const [kind, tokenX = "", tokenY = "", token] = key.split("/");
    const periods = rules.swapPeriods.get(pairKey(tokenX, tokenY));
    if (periods === undefined) continue;
    const { weight = 0n, priceMaxAge = 0 } =
      periods.find(({ after, until }) => time > after && time <= until) ?? {};
    let value: bigint | null = BigInt(amount);
    if (kind === "amount") {
      const price = token === undefined ? null : await priceAt(token, time);
      const isPriced = price !== null && isYoungEnough(price, time, priceMaxAge);
      value = isPriced ? usdValueOf(value, Number(position), price) : null;
    }
    audited.push({
      ...{ id, time, pair: `${tokenX}/${tokenY}` },
      usd_value: value === null ? null : String(value),
      points: String(rules.swaps.points((value ?? 0n) * weight)),
    });
  }
  return audited;
}
