import type { PointsDatabase } from "../storage/database.ts";
import { parameter, type StoredQuery, storeQuery } from "../storage/stored-query.ts";

/** Rows in one statement: a row of its own costs a round trip. */
export const rowsPerInsert = 100;

/** A row of `events`, as the queries take it. */
export type EventRow = readonly [
  stream: number,
  time: number,
  seq: number,
  id: string,
  kind: number,
  address: string,
  position: string | null,
  amount: string,
];

/** What tells whether a price or a domain is newer than another. */
export interface Version {
  readonly time: number;
  readonly event_id: string;
}

export interface LedgerQueries {
  /** Also keeps all others from adding events until the transaction ends. */
  readonly takeNumbers: StoredQuery<{ last_seq: number; settled_until: number }>;
  readonly findStream: StoredQuery<{ id: number }>;
  readonly findLastStream: StoredQuery<{ id: number | null }>;
  readonly addStream: StoredQuery<unknown>;
  /** Says that the newest events have some that may be missing in a base. */
  readonly markLate: StoredQuery<unknown>;
  /** Takes `rowsPerInsert` rows in one list. */
  readonly addEvents: StoredQuery<unknown>;
  readonly addEvent: StoredQuery<unknown>;
  readonly findPrice: StoredQuery<Version>;
  readonly putPrice: StoredQuery<unknown>;
  readonly findDomain: StoredQuery<Version>;
  readonly putDomain: StoredQuery<unknown>;
}

export function ledgerQueries({ builder }: PointsDatabase): LedgerQueries {
  const eventRow = {
    stream: parameter<number>("stream"),
    time: parameter<number>("time"),
    seq: parameter<number>("seq"),
    id: parameter<string>("id"),
    kind: parameter<number>("kind"),
    address: parameter<string>("address"),
    position: parameter<string | null>("position"),
    amount: parameter<string>("amount"),
  };
  const addEvents = (rows: number): StoredQuery<unknown> =>
    storeQuery(
      builder
        .insertInto("events")
        .values(new Array(rows).fill(eventRow))
        .onConflict((conflict) => conflict.column("id").doNothing()),
    );
  const version = {
    time: parameter<number>("time"),
    event_id: parameter<string>("event_id"),
  };
  const price = {
    ...version,
    price: parameter<string>("price"),
    price_decimals: parameter<number>("price_decimals"),
  };
  const domain = { ...version, domain: parameter<string>("domain") };
  const token = parameter<string>("token");
  const address = parameter<string>("address");
  return {
    takeNumbers: storeQuery(
      builder
        .updateTable("ledger")
        .set((build) => ({ last_seq: build("last_seq", "+", parameter<number>("count")) }))
        .returning(["last_seq", "settled_until"]),
    ),
    findStream: storeQuery(
      builder.selectFrom("streams").select("id").where("key", "=", parameter<string>("key")),
    ),
    findLastStream: storeQuery(
      builder.selectFrom("streams").select((build) => build.fn.max("id").as("id")),
    ),
    addStream: storeQuery(
      builder
        .insertInto("streams")
        .values({ id: parameter<number>("id"), key: parameter<string>("key") }),
    ),
    markLate: storeQuery(
      builder.updateTable("ledger").set((build) => ({ late_seq: build.ref("last_seq") })),
    ),
    addEvents: addEvents(rowsPerInsert),
    addEvent: addEvents(1),
    findPrice: storeQuery(
      builder.selectFrom("prices").select(["time", "event_id"]).where("token", "=", token),
    ),
    putPrice: storeQuery(
      builder
        .insertInto("prices")
        .values({ token, ...price })
        .onConflict((conflict) => conflict.column("token").doUpdateSet(price)),
    ),
    findDomain: storeQuery(
      builder.selectFrom("domains").select(["time", "event_id"]).where("address", "=", address),
    ),
    putDomain: storeQuery(
      builder
        .insertInto("domains")
        .values({ address, ...domain })
        .onConflict((conflict) => conflict.column("address").doUpdateSet(domain)),
    ),
  };
}
