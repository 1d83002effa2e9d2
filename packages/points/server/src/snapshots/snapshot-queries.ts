import { query } from "@proj/database";
import { sql } from "@proj/database/kysely";
import { parameter } from "@proj/database/queries";
import type { PointsQuery, PointsSource } from "../storage/source.ts";

export interface LedgerRow {
  readonly last_seq: number;
  readonly late_seq: number;
}

export interface BaseKey {
  readonly snapshot: number;
  readonly time: number;
  readonly seq: number;
  readonly rules: string;
}

export interface BaseRow {
  readonly block: number;
  readonly entries: string;
}

export interface DomainRow {
  readonly address: string;
  readonly domain: string;
}

/** The queries that build a snapshot. */
export interface SnapshotQueries {
  /** Also locks out all other writers of events and builders of snapshots until the transaction ends. */
  readonly settleLedger: PointsQuery<LedgerRow>;
  readonly findLast: PointsQuery<{ id: number | null; size: number | null }>;
  readonly withdrawUnfinished: PointsQuery<unknown>;
  readonly add: PointsQuery<unknown>;
  readonly findBase: PointsQuery<BaseKey>;
  readonly readBase: PointsQuery<BaseRow>;
  /** Of several addresses that took a domain, only the last has it. */
  readonly readDomains: PointsQuery<DomainRow>;
  readonly publish: PointsQuery<unknown>;
  readonly putBase: PointsQuery<unknown>;
  /** Withdraws all but the newest ones, and the last one of each day since a time. */
  readonly withdrawOld: PointsQuery<unknown>;
}

const keptSnapshots = 3;
const baseBlocksPerRead = 16;

// Both databases divide integers to an integer.
const dayOf = sql`time / 86400`;

const isLater = (byteOrder: string) =>
  sql<boolean>`(other.time, other.sequence, other.event_id collate ${sql.id(byteOrder)})
    > (domains.time, domains.sequence, domains.event_id collate ${sql.id(byteOrder)})`;

const id = parameter<number>("id");
const season = parameter<string>("season");
const base = {
  snapshot: id,
  time: parameter<number>("time"),
  seq: parameter<number>("seq"),
  rules: parameter<string>("rules"),
};
const settledUntil = parameter<number>("settled_until");

export const snapshotQueries: SnapshotQueries = {
  settleLedger: query(({ db }: PointsSource) =>
    db
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
  findLast: query(({ db }: PointsSource) =>
    db
      .selectFrom("snapshots")
      .select(({ fn }) => [fn.max("id").as("id"), fn.max("total_items").as("size")]),
  ),
  withdrawUnfinished: query(({ db }: PointsSource) =>
    db
      .updateTable("snapshots")
      .set({ state: "withdrawn" })
      .where("state", "=", "building")
      .where("season", "=", season),
  ),
  add: query(({ db }: PointsSource) =>
    db.insertInto("snapshots").values({
      id,
      salt: parameter<string>("salt"),
      time: parameter<number>("time"),
      state: "building",
      seq: parameter<number>("seq"),
      season,
      rules: parameter<string>("rules"),
      total_items: 0,
      lp_items: 0,
      swaps_items: 0,
      standing_blocks: 0,
    }),
  ),
  findBase: query(({ db }: PointsSource) =>
    db
      .selectFrom("bases")
      .select(["snapshot", "time", "seq", "rules"])
      .where("season", "=", season),
  ),
  readBase: query(({ db }: PointsSource) =>
    db
      .selectFrom("base_blocks")
      .select(["block", "entries"])
      .where("snapshot", "=", parameter<number>("snapshot"))
      .where("part", "=", parameter<number>("part"))
      .where("block", ">", parameter<number>("after"))
      .orderBy("block")
      .limit(baseBlocksPerRead),
  ),
  readDomains: query(({ db, dialect }: PointsSource) =>
    db
      .selectFrom("domains")
      .select(["address", "domain"])
      .where("address", ">", parameter<string>("after"))
      .where("name", "<>", "")
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom("domains as other")
              .select("other.address")
              .whereRef("other.name", "=", "domains.name")
              .where(isLater(dialect.byteOrder)),
          ),
        ),
      )
      .orderBy("address")
      .limit(10_000),
  ),
  publish: query(({ db }: PointsSource) =>
    db
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
  putBase: query(({ db }: PointsSource) =>
    db
      .insertInto("bases")
      .values({ season, ...base })
      .onConflict((conflict) => conflict.column("season").doUpdateSet(base)),
  ),
  withdrawOld: query(({ db }: PointsSource) =>
    db
      .updateTable("snapshots")
      .set({ state: "withdrawn" })
      .where("state", "=", "published")
      .where("season", "=", season)
      .where("id", "not in", (build) =>
        build
          .selectFrom("snapshots")
          .select("id")
          .where("state", "=", "published")
          .where("season", "=", season)
          .orderBy("id", "desc")
          .limit(keptSnapshots),
      )
      .where("id", "not in", (build) =>
        build
          .selectFrom("snapshots")
          .select(({ fn }) => fn.max("id").as("id"))
          .where("state", "=", "published")
          .where("season", "=", season)
          .where("time", ">", parameter<number>("since"))
          .groupBy(dayOf),
      ),
  ),
};
