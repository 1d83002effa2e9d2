import type { PointsDatabase } from "../storage/database.ts";
import { parameter, type StoredQuery, storeQuery } from "../storage/stored-query.ts";

export interface LedgerRow {
  readonly last_seq: number;
  readonly late_seq: number;
  readonly base_snapshot: number | null;
  readonly base_time: number;
  readonly base_seq: number;
  readonly base_rules: string;
}

export interface BaseRow {
  readonly block: number;
  readonly entries: string;
}

export interface DomainRow {
  readonly address: string;
  readonly domain: string;
}

/** All that building a snapshot asks of the database. */
export interface SnapshotQueries {
  /** Also keeps all others from adding events, and from beginning a snapshot, until the transaction ends. */
  readonly settleLedger: StoredQuery<LedgerRow>;
  readonly findLast: StoredQuery<{ id: number | null; size: number | null }>;
  readonly withdrawUnfinished: StoredQuery<unknown>;
  readonly add: StoredQuery<unknown>;
  readonly readBase: StoredQuery<BaseRow>;
  readonly readDomains: StoredQuery<DomainRow>;
  readonly publish: StoredQuery<unknown>;
  readonly putBase: StoredQuery<unknown>;
  /** Those after the newest ones that are kept. */
  readonly withdrawOld: StoredQuery<unknown>;
}

const keptSnapshots = 3;
const baseBlocksPerRead = 16;

export function snapshotQueries({ builder }: PointsDatabase): SnapshotQueries {
  const id = parameter<number>("id");
  const settledUntil = parameter<number>("settled_until");
  return {
    settleLedger: storeQuery(
      builder
        .updateTable("ledger")
        .set((build) => ({
          settled_until: build
            .case()
            .when("settled_until", "<", settledUntil)
            .then(settledUntil)
            .else(build.ref("settled_until"))
            .end(),
        }))
        .returningAll(),
    ),
    findLast: storeQuery(
      builder
        .selectFrom("snapshots")
        .select(({ fn }) => [fn.max("id").as("id"), fn.max("total_items").as("size")]),
    ),
    withdrawUnfinished: storeQuery(
      builder.updateTable("snapshots").set({ state: "withdrawn" }).where("state", "=", "building"),
    ),
    add: storeQuery(
      builder.insertInto("snapshots").values({
        id,
        salt: parameter<string>("salt"),
        time: parameter<number>("time"),
        state: "building",
        total_items: 0,
        lp_items: 0,
        swaps_items: 0,
        standing_blocks: 0,
      }),
    ),
    readBase: storeQuery(
      builder
        .selectFrom("base_blocks")
        .select(["block", "entries"])
        .where("snapshot", "=", parameter<number>("snapshot"))
        .where("part", "=", parameter<number>("part"))
        .where("block", ">", parameter<number>("after"))
        .orderBy("block")
        .limit(baseBlocksPerRead),
    ),
    readDomains: storeQuery(
      builder
        .selectFrom("domains")
        .select(["address", "domain"])
        .where("address", ">", parameter<string>("after"))
        .orderBy("address")
        .limit(10_000),
    ),
    publish: storeQuery(
      builder
        .updateTable("snapshots")
        .set({
          state: "published",
          total_items: parameter<number>("total_items"),
          lp_items: parameter<number>("lp_items"),
          swaps_items: parameter<number>("swaps_items"),
          standing_blocks: parameter<number>("standing_blocks"),
        })
        .where("id", "=", id)
        .where("state", "=", "building"),
    ),
    putBase: storeQuery(
      builder.updateTable("ledger").set({
        base_snapshot: id,
        base_time: parameter<number>("base_time"),
        base_seq: parameter<number>("base_seq"),
        base_rules: parameter<string>("base_rules"),
      }),
    ),
    withdrawOld: storeQuery(
      builder
        .updateTable("snapshots")
        .set({ state: "withdrawn" })
        .where("state", "=", "published")
        .where("id", "not in", (build) =>
          build
            .selectFrom("snapshots")
            .select("id")
            .where("state", "=", "published")
            .orderBy("id", "desc")
            .limit(keptSnapshots),
        ),
    ),
  };
}
