import type { QueryValue } from "@proj/database";
import type { DomainEvent, PointsEvent, PriceEvent, RetractEvent } from "../events/event.ts";
import type { PointsDatabase, PointsRunner } from "../storage/source.ts";
import { putValue, restoreValue } from "./current-values.ts";
import { type Cursor, moveCursor } from "./cursor.ts";
import { eventRow } from "./event-row.ts";
import { type EventRow, ledgerQueries, rowsPerInsert } from "./ledger-queries.ts";
import { streamKey } from "./streams.ts";

/** An event to be inserted. */
interface Arrival<Event extends PointsEvent = PointsEvent> {
  readonly event: Event;
  readonly row: EventRow;
}

/** Adds events. A stored event never changes, except when it is retracted. */
export class EventLog {
  readonly #database: PointsDatabase;
  /** Only committed streams. */
  readonly #streams = new Map<string, number>();

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
      const [ledger] = (await runner.run(ledgerQueries.takeNumbers, { count: events.length })).rows;
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
        const row = eventRow(event, seq, await this.#stream(runner, streamKey(event), added));
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
        isLate ||= (await runner.run(ledgerQueries.findAmounts, {})).rows.length > 0;
      if (await this.#retractAwaited(runner, events, last_seq, settled_until)) isLate = true;
      for (const { event, row } of retractions) {
        if ((await runner.run(ledgerQueries.addEvent, row)).changes === 0) continue;
        stored += 1;
        if (await this.#retract(runner, event.target, last_seq, settled_until)) isLate = true;
      }
      if (isLate) await runner.run(ledgerQueries.markLate, {});
      return stored;
    });
    for (const [key, id] of added) this.#streams.set(key, id);
    return stored;
  }

  async #addEvents(runner: PointsRunner, rows: readonly EventRow[]): Promise<number> {
    let added = 0;
    const whole = rows.length - (rows.length % rowsPerInsert);
    for (let first = 0; first < whole; first += rowsPerInsert) {
      const values: QueryValue[] = rows.slice(first, first + rowsPerInsert).flat();
      added += (await runner.run(ledgerQueries.addEvents, values)).changes;
    }
    for (const row of rows.slice(whole)) {
      added += (await runner.run(ledgerQueries.addEvent, row)).changes;
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
      if ((await runner.run(ledgerQueries.addEvent, row)).changes === 0) continue;
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
    if ((await runner.run(ledgerQueries.isAwaiting, {})).rows.length === 0) return false;
    let isLate = false;
    for (const { id, type } of events) {
      if (type === "retract") continue;
      if ((await runner.run(ledgerQueries.arrive, { target: id })).changes === 0) continue;
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
    const [retracted] = (await runner.run(ledgerQueries.retract, { id, seq })).rows;
    if (retracted === undefined) {
      const { rows } = await runner.run(ledgerQueries.isKnown, { id });
      if (rows.length === 0) await runner.run(ledgerQueries.await, { target: id });
      return false;
    }
    await restoreValue(runner, retracted);
    return retracted.time <= settledUntil;
  }

  /** The transaction has the ledger to itself, so no other can be adding the same stream. */
  async #stream(runner: PointsRunner, key: string, added: Map<string, number>): Promise<number> {
    const known = this.#streams.get(key) ?? added.get(key);
    if (known !== undefined) return known;
    const [found] = (await runner.run(ledgerQueries.findStream, { key })).rows;
    const id = found?.id ?? (await this.#addStream(runner, key));
    added.set(key, id);
    return id;
  }

  async #addStream(runner: PointsRunner, key: string): Promise<number> {
    const [last] = (await runner.run(ledgerQueries.findLastStream, {})).rows;
    const id = (last?.id ?? 0) + 1;
    await runner.run(ledgerQueries.addStream, { id, key });
    return id;
  }
}

/** The migration inserts its only row. */
function missingLedger(): never {
  throw new Error("the table ledger is empty");
}
