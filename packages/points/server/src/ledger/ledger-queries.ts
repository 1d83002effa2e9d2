import { query } from "@proj/database";
import { sql } from "@proj/database/kysely";
import { parameter } from "@proj/database/queries";
import type { PointsQuery, PointsSource } from "../storage/source.ts";

/** Rows per statement: a row in a statement of its own costs a round trip. */
export const rowsPerInsert = 100;

/** A row of `events`, as the queries take it. */
export type EventRow = readonly [
  stream: number,
  time: number,
  sequence: number,
  seq: number,
  id: string,
  kind: number,
  address: string,
  position: string | null,
  amount: string,
];

/** Decides which of two prices or domains is newer. */
export interface Version {
  readonly time: number;
  readonly sequence: number;
  readonly event_id: string;
}

export interface RetractedRow {
  readonly stream: number;
  readonly time: number;
  readonly kind: number;
  readonly address: string;
}

/** The newest event of a price or a domain. */
export interface NewestRow {
  readonly id: string;
  readonly time: number;
  readonly sequence: number;
  readonly position: string | null;
  readonly amount: string;
}

export interface LedgerQueries {
  /** Also locks out all other writers of events until the transaction ends. */
  readonly takeNumbers: PointsQuery<{ last_seq: number; settled_until: number }>;
  readonly findStream: PointsQuery<{ id: number }>;
  readonly findLastStream: PointsQuery<{ id: number | null }>;
  readonly addStream: PointsQuery<unknown>;
  /** Returns a row if any swap is valued by our own prices. */
  readonly findAmounts: PointsQuery<unknown>;
  /** Records that the newest events include some that bases may lack. */
  readonly markLate: PointsQuery<unknown>;
  /** Takes `rowsPerInsert` rows in one list. */
  readonly addEvents: PointsQuery<unknown>;
  readonly addEvent: PointsQuery<unknown>;
  readonly findCursor: PointsQuery<{ value: string }>;
  readonly putCursor: PointsQuery<unknown>;
  readonly isAwaiting: PointsQuery<unknown>;
  readonly await: PointsQuery<unknown>;
  /** Changes a row if the event with this id has a pending retraction. */
  readonly arrive: PointsQuery<unknown>;
  readonly isKnown: PointsQuery<unknown>;
  /** Returns the event if it is stored and not retracted yet. */
  readonly retract: PointsQuery<RetractedRow>;
  readonly findNewest: PointsQuery<NewestRow>;
  readonly findNewestDomain: PointsQuery<NewestRow>;
  readonly findStreamKey: PointsQuery<{ key: string }>;
  readonly dropPrice: PointsQuery<unknown>;
  readonly dropDomain: PointsQuery<unknown>;
  readonly findPrice: PointsQuery<Version>;
  readonly putPrice: PointsQuery<unknown>;
  /** The address that took the domain last. */
  readonly findOwner: PointsQuery<{ address: string }>;
  readonly findDomain: PointsQuery<Version>;
  readonly putDomain: PointsQuery<unknown>;
}

const eventRow = {
  stream: parameter<number>("stream"),
  time: parameter<number>("time"),
  sequence: parameter<number>("sequence"),
  seq: parameter<number>("seq"),
  id: parameter<string>("id"),
  kind: parameter<number>("kind"),
  address: parameter<string>("address"),
  position: parameter<string | null>("position"),
  amount: parameter<string>("amount"),
};
const addEvents = (rows: number): PointsQuery<unknown> =>
  query(({ db }: PointsSource) =>
    db
      .insertInto("events")
      .values(new Array(rows).fill(eventRow))
      .onConflict((conflict) => conflict.column("id").doNothing()),
  );
const version = {
  time: parameter<number>("time"),
  sequence: parameter<number>("sequence"),
  event_id: parameter<string>("event_id"),
};
const price = {
  ...version,
  price: parameter<string>("price"),
  price_decimals: parameter<number>("price_decimals"),
};
const domain = {
  ...version,
  domain: parameter<string>("domain"),
  name: parameter<string>("name"),
};
const token = parameter<string>("token");
const address = parameter<string>("address");
const id = parameter<string>("id");
const cursor = {
  value: parameter<string>("value"),
  updated_at: parameter<number>("updated_at"),
};
const newest = ({ db, dialect }: PointsSource) =>
  db
    .selectFrom("events")
    .select(["id", "time", "sequence", "position", "amount"])
    .where("stream", "=", parameter<number>("stream"))
    .where("retracted_seq", "is", null)
    .orderBy("time", "desc")
    .orderBy("sequence", "desc")
    .orderBy("id", (order) => order.collate(dialect.byteOrder).desc())
    .limit(1);

export const ledgerQueries: LedgerQueries = {
  takeNumbers: query(({ db }: PointsSource) =>
    db
      .updateTable("ledger")
      .set((build) => ({ last_seq: build("last_seq", "+", parameter<number>("count")) }))
      .returning(["last_seq", "settled_until"]),
  ),
  findStream: query(({ db }: PointsSource) =>
    db.selectFrom("streams").select("id").where("key", "=", parameter<string>("key")),
  ),
  findLastStream: query(({ db }: PointsSource) =>
    db.selectFrom("streams").select((build) => build.fn.max("id").as("id")),
  ),
  addStream: query(({ db }: PointsSource) =>
    db.insertInto("streams").values({ id: parameter<number>("id"), key: parameter<string>("key") }),
  ),
  // A range of keys, so that SQLite uses their index; by bytes, "0" follows "/".
  findAmounts: query(({ db, dialect }: PointsSource) => {
    const key = sql<string>`${sql.ref("key")} collate ${sql.id(dialect.byteOrder)}`;
    return db
      .selectFrom("streams")
      .select("id")
      .where(key, ">", "amount/")
      .where(key, "<", "amount0")
      .limit(1);
  }),
  markLate: query(({ db }: PointsSource) =>
    db.updateTable("ledger").set((build) => ({ late_seq: build.ref("last_seq") })),
  ),
  addEvents: addEvents(rowsPerInsert),
  addEvent: addEvents(1),
  findCursor: query(({ db }: PointsSource) =>
    db.selectFrom("cursors").select("value").where("name", "=", parameter<string>("name")),
  ),
  putCursor: query(({ db }: PointsSource) =>
    db
      .insertInto("cursors")
      .values({ name: parameter<string>("name"), ...cursor })
      .onConflict((conflict) => conflict.column("name").doUpdateSet(cursor)),
  ),
  isAwaiting: query(({ db }: PointsSource) =>
    db.selectFrom("awaited_retractions").select("target").limit(1),
  ),
  await: query(({ db }: PointsSource) =>
    db
      .insertInto("awaited_retractions")
      .values({ target: parameter<string>("target") })
      .onConflict((conflict) => conflict.column("target").doNothing()),
  ),
  arrive: query(({ db }: PointsSource) =>
    db.deleteFrom("awaited_retractions").where("target", "=", parameter<string>("target")),
  ),
  isKnown: query(({ db }: PointsSource) =>
    db.selectFrom("events").select("id").where("id", "=", id),
  ),
  retract: query(({ db }: PointsSource) =>
    db
      .updateTable("events")
      .set({ retracted_seq: parameter<number>("seq") })
      .where("id", "=", id)
      .where("retracted_seq", "is", null)
      .returning(["stream", "time", "kind", "address"]),
  ),
  findNewest: query(newest),
  findNewestDomain: query((source: PointsSource) => newest(source).where("address", "=", address)),
  findStreamKey: query(({ db }: PointsSource) =>
    db.selectFrom("streams").select("key").where("id", "=", parameter<number>("id")),
  ),
  dropPrice: query(({ db }: PointsSource) => db.deleteFrom("prices").where("token", "=", token)),
  dropDomain: query(({ db }: PointsSource) =>
    db.deleteFrom("domains").where("address", "=", address),
  ),
  findPrice: query(({ db }: PointsSource) =>
    db.selectFrom("prices").select(["time", "sequence", "event_id"]).where("token", "=", token),
  ),
  putPrice: query(({ db }: PointsSource) =>
    db
      .insertInto("prices")
      .values({ token, ...price })
      .onConflict((conflict) => conflict.column("token").doUpdateSet(price)),
  ),
  findOwner: query(({ db, dialect }: PointsSource) =>
    db
      .selectFrom("domains")
      .select("address")
      .where("name", "=", parameter<string>("name"))
      .orderBy("time", "desc")
      .orderBy("sequence", "desc")
      .orderBy("event_id", (order) => order.collate(dialect.byteOrder).desc())
      .limit(1),
  ),
  findDomain: query(({ db }: PointsSource) =>
    db
      .selectFrom("domains")
      .select(["time", "sequence", "event_id"])
      .where("address", "=", address),
  ),
  putDomain: query(({ db }: PointsSource) =>
    db
      .insertInto("domains")
      .values({ address, ...domain })
      .onConflict((conflict) => conflict.column("address").doUpdateSet(domain)),
  ),
};
