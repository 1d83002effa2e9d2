import type {
  DomainEvent,
  PointsEvent,
  PositionEvent,
  PriceEvent,
  SwapEvent,
} from "../events/event.ts";
import type { PointsDatabase, QueryRunner } from "../storage/database.ts";
import type { QueryValue } from "../storage/stored-query.ts";
import { eventKinds } from "./event-kind.ts";
import {
  type EventRow,
  type LedgerQueries,
  ledgerQueries,
  rowsPerInsert,
  type Version,
} from "./ledger-queries.ts";
import { streamKey } from "./streams.ts";

/** Where events are added. What is there is never changed. */
export class EventLog {
  readonly #database: PointsDatabase;
  readonly #queries: LedgerQueries;
  /** Only what is committed. */
  readonly #streams = new Map<string, number>();

  constructor(database: PointsDatabase) {
    this.#database = database;
    this.#queries = ledgerQueries(database);
  }

  /**
   * Adds all of them in one transaction, but those that are known already.
   * @returns how many were new
   * @throws StoreUnavailableError nothing of them is known to be stored; it is safe to send them again
   */
  async append(events: readonly PointsEvent[]): Promise<number> {
    if (events.length === 0) return 0;
    const added = new Map<string, number>();
    const stored = await this.#database.transaction(async (runner) => {
      const [ledger] = (await runner.run(this.#queries.takeNumbers, { count: events.length })).rows;
      const { last_seq, settled_until } = ledger ?? missingLedger();
      let seq = last_seq - events.length;
      let newer = 0;
      const rows: EventRow[] = [];
      let isLate = false;
      // In the order of the index of ids: each of its pages is looked up and changed once.
      for (const event of events.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
        seq += 1;
        if (event.type === "price") newer += await this.#putPrice(runner, event);
        else if (event.type === "domain") newer += await this.#putDomain(runner, event);
        else {
          const stream = await this.#stream(runner, streamKey(event), added);
          rows.push(eventRow(event, seq, stream));
          isLate ||= event.time <= settled_until;
        }
      }
      const newRows = await this.#addEvents(runner, rows);
      if (isLate && newRows > 0) await runner.run(this.#queries.markLate, {});
      return newer + newRows;
    });
    for (const [key, id] of added) this.#streams.set(key, id);
    return stored;
  }

  async #addEvents(runner: QueryRunner, rows: readonly EventRow[]): Promise<number> {
    let added = 0;
    const whole = rows.length - (rows.length % rowsPerInsert);
    for (let first = 0; first < whole; first += rowsPerInsert) {
      const values: QueryValue[] = rows.slice(first, first + rowsPerInsert).flat();
      added += (await runner.run(this.#queries.addEvents, values)).changes;
    }
    for (const row of rows.slice(whole)) {
      added += (await runner.run(this.#queries.addEvent, row)).changes;
    }
    return added;
  }

  async #putPrice(runner: QueryRunner, event: PriceEvent): Promise<number> {
    const { token, price, priceDecimals: price_decimals, time, id: event_id } = event;
    const [current] = (await runner.run(this.#queries.findPrice, { token })).rows;
    if (!isNewer(event, current)) return 0;
    const values = { token, price, price_decimals, time, event_id };
    return (await runner.run(this.#queries.putPrice, values)).changes;
  }

  async #putDomain(runner: QueryRunner, event: DomainEvent): Promise<number> {
    const { address, domain, time, id: event_id } = event;
    const [current] = (await runner.run(this.#queries.findDomain, { address })).rows;
    if (!isNewer(event, current)) return 0;
    return (await runner.run(this.#queries.putDomain, { address, domain, time, event_id })).changes;
  }

  /** The transaction has the ledger for itself, so that nobody else can be adding the same stream. */
  async #stream(runner: QueryRunner, key: string, added: Map<string, number>): Promise<number> {
    const known = this.#streams.get(key) ?? added.get(key);
    if (known !== undefined) return known;
    const [found] = (await runner.run(this.#queries.findStream, { key })).rows;
    const id = found?.id ?? (await this.#addStream(runner, key));
    added.set(key, id);
    return id;
  }

  async #addStream(runner: QueryRunner, key: string): Promise<number> {
    const [last] = (await runner.run(this.#queries.findLastStream, {})).rows;
    const id = (last?.id ?? 0) + 1;
    await runner.run(this.#queries.addStream, { id, key });
    return id;
  }
}

function eventRow(event: SwapEvent | PositionEvent, seq: number, stream: number): EventRow {
  const { type, id, time, address } = event;
  const kind = eventKinds[type];
  if (type === "swap") return [stream, time, seq, id, kind, address, null, event.usdValue];
  return [stream, time, seq, id, kind, address, event.position, event.liquidity ?? "0"];
}

/** Of several of one second the one with the largest id counts, in whatever order they come. */
function isNewer({ time, id }: PriceEvent | DomainEvent, current: Version | undefined): boolean {
  if (current === undefined || time !== current.time) return time > (current?.time ?? -1);
  return id > current.event_id;
}

/** The migration made its only row. */
function missingLedger(): never {
  throw new Error("the table ledger is empty");
}
