import { type QueryValue, query } from "@proj/database";
import { sql } from "@proj/database/kysely";
import { parameter } from "@proj/database/queries";
import type { DomainEvent, PointsEvent, PriceEvent, RetractEvent } from "../events/event.ts";
import type { PointsDatabase, PointsQuery, PointsRunner, PointsSource } from "../storage/source.ts";
import { putValue, restoreValue } from "./current-values.ts";
import { type Cursor, moveCursor } from "./cursor.ts";
import { type EventRow, eventRow } from "./event-row.ts";
import { StreamNumbers } from "./stream-numbers.ts";
import { streamKey } from "./streams.ts";

/** Rows per statement: a row in a statement of its own costs a round trip. */
const rowsPerInsert = 100;

const columns = {
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
const insert = (rows: number): PointsQuery<unknown> =>
  query(({ db }: PointsSource) =>
    db
      .insertInto("events")
      .values(new Array(rows).fill(columns))
      .onConflict((conflict) => conflict.column("id").doNothing()),
  );
const addEvents = insert(rowsPerInsert);
const addEvent = insert(1);
const id = parameter<string>("id");
/** Also locks out all other writers of events until the transaction ends. */
const takeNumbers = query(({ db }: PointsSource) =>
  db
    .updateTable("ledger")
    .set((build) => ({ last_seq: build("last_seq", "+", parameter<number>("count")) }))
    .returning(["last_seq", "settled_until"]),
);
// Whether any swap is valued by our own prices. A range of keys, so that SQLite uses their index; by bytes, "0"
// follows "/".
const findAmounts = query(({ db, dialect }: PointsSource) => {
  const key = sql<string>`${sql.ref("key")} collate ${sql.id(dialect.byteOrder)}`;
  return db
    .selectFrom("streams")
    .select("id")
    .where(key, ">", "amount/")
    .where(key, "<", "amount0")
    .limit(1);
});
/** Records that the newest events include some that bases may lack. */
const markLate = query(({ db }: PointsSource) =>
  db.updateTable("ledger").set((build) => ({ late_seq: build.ref("last_seq") })),
);
const isAwaiting = query(({ db }: PointsSource) =>
  db.selectFrom("awaited_retractions").select("target").limit(1),
);
const awaitEvent = query(({ db }: PointsSource) =>
  db
    .insertInto("awaited_retractions")
    .values({ target: parameter<string>("target") })
    .onConflict((conflict) => conflict.column("target").doNothing()),
);
/** Changes a row if the event with this id has a pending retraction. */
const arrive = query(({ db }: PointsSource) =>
  db.deleteFrom("awaited_retractions").where("target", "=", parameter<string>("target")),
);
const isKnown = query(({ db }: PointsSource) =>
  db.selectFrom("events").select("id").where("id", "=", id),
);
/** Returns the event if it is stored and not retracted yet. */
const retractEvent = query(({ db }: PointsSource) =>
  db
    .updateTable("events")
    .set({ retracted_seq: parameter<number>("seq") })
    .where("id", "=", id)
    .where("retracted_seq", "is", null)
    .returning(["stream", "time", "kind", "address"]),
);

/** An event to be inserted. */
interface Arrival<Event extends PointsEvent = PointsEvent> {
  readonly event: Event;
  readonly row: EventRow;
}

/** Adds events. A stored event never changes, except when it is retracted. */
export class EventLog {
  readonly #database: PointsDatabase;
  readonly #streams = new StreamNumbers();

  constructor(database: PointsDatabase) {
    this.#database = database;
  }

  /**
   * Adds the events that are new, and moves the cursor, in one transaction.
   * @returns how many were new
   * @throws CursorConflictError nothing was stored
   * @throws StoreUnavailableError it is unknown whether they were stored; it is safe to send them again
   */
  async append(events: readonly PointsEvent[], cursor: Cursor | null = null): Promise<number> {
    if (events.length === 0 && cursor === null) return 0;
    const added = new Map<string, number>();
    const stored = await this.#database.transaction(async (runner) => {
      const [ledger] = (await runner.run(takeNumbers, { count: events.length })).rows;
      const { last_seq, settled_until } = ledger ?? missingLedger();
      if (cursor !== null) await moveCursor(runner, cursor);
      let seq = last_seq - events.length;
      const ledgerRows: EventRow[] = [];
      const values: Arrival<PriceEvent | DomainEvent>[] = [];
      const retractions: Arrival<RetractEvent>[] = [];
      let isLate = false;
      // Sorted like the index of ids, so that each of its pages is read and changed once.
      for (const event of events.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
        seq += 1;
        const row = eventRow(
          event,
          seq,
          await this.#streams.number(runner, streamKey(event), added),
        );
        if (event.type === "retract") retractions.push({ event, row });
        else if (event.type === "price" || event.type === "domain") values.push({ event, row });
        else {
          ledgerRows.push(row);
          isLate ||= event.time <= settled_until;
        }
      }
      let stored = await this.#addEvents(runner, ledgerRows);
      isLate &&= stored > 0;
      const newValues = await this.#putValues(runner, values);
      stored += newValues.length;
      // A late price can change the value of swaps in a base.
      if (newValues.some((event) => event.type === "price" && event.time <= settled_until))
        isLate ||= (await runner.run(findAmounts, {})).rows.length > 0;
      if (await this.#retractAwaited(runner, events, last_seq, settled_until)) isLate = true;
      for (const { event, row } of retractions) {
        if ((await runner.run(addEvent, row)).changes === 0) continue;
        stored += 1;
        if (await this.#retract(runner, event.target, last_seq, settled_until)) isLate = true;
      }
      if (isLate) await runner.run(markLate, {});
      return stored;
    });
    this.#streams.keep(added);
    return stored;
  }

  async #addEvents(runner: PointsRunner, rows: readonly EventRow[]): Promise<number> {
    let added = 0;
    const whole = rows.length - (rows.length % rowsPerInsert);
    for (let first = 0; first < whole; first += rowsPerInsert) {
      const values: QueryValue[] = rows.slice(first, first + rowsPerInsert).flat();
      added += (await runner.run(addEvents, values)).changes;
    }
    for (const row of rows.slice(whole)) {
      added += (await runner.run(addEvent, row)).changes;
    }
    return added;
  }

  /** @returns the events that are new */
  async #putValues(
    runner: PointsRunner,
    arrivals: readonly Arrival<PriceEvent | DomainEvent>[],
  ): Promise<readonly PointsEvent[]> {
    const stored: PointsEvent[] = [];
    for (const { event, row } of arrivals) {
      if ((await runner.run(addEvent, row)).changes === 0) continue;
      stored.push(event);
      await putValue(runner, event);
    }
    return stored;
  }

  /** Applies retractions that arrived before these events. @returns whether a base may contain one of them */
  async #retractAwaited(
    runner: PointsRunner,
    events: readonly PointsEvent[],
    seq: number,
    settledUntil: number,
  ): Promise<boolean> {
    if ((await runner.run(isAwaiting, {})).rows.length === 0) return false;
    let isLate = false;
    for (const { id, type } of events) {
      if (type === "retract") continue;
      if ((await runner.run(arrive, { target: id })).changes === 0) continue;
      if (await this.#retract(runner, id, seq, settledUntil)) isLate = true;
    }
    return isLate;
  }

  /** @returns whether a base may contain the event */
  async #retract(
    runner: PointsRunner,
    id: string,
    seq: number,
    settledUntil: number,
  ): Promise<boolean> {
    const [retracted] = (await runner.run(retractEvent, { id, seq })).rows;
    if (retracted === undefined) {
      const { rows } = await runner.run(isKnown, { id });
      if (rows.length === 0) await runner.run(awaitEvent, { target: id });
      return false;
    }
    await restoreValue(runner, retracted);
    return retracted.time <= settledUntil;
  }
}

/** The migration inserts its only row. */
function missingLedger(): never {
  throw new Error("the table ledger is empty");
}
