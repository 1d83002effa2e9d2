import type { PointsDatabase } from "../storage/database.ts";
import { parameter, type StoredQuery, storeQuery } from "../storage/stored-query.ts";
import { giveWay } from "../threads/give-way.ts";
import { packTexts } from "../threads/packed-texts.ts";
import type { EventPage, EventRange, EventSource } from "./event-source.ts";

/** More where more happened in one second. */
const eventsPerPage = 1000;

interface StoredEvent {
  readonly time: number;
  readonly kind: number;
  readonly id: string;
  readonly address: string;
  readonly position: string | null;
  readonly amount: string;
}

export class LedgerReader implements EventSource {
  readonly #database: PointsDatabase;
  readonly #events: StoredQuery<StoredEvent>;
  readonly #streams: StoredQuery<{ id: number; key: string }>;

  constructor(database: PointsDatabase) {
    this.#database = database;
    const { builder } = database;
    this.#events = storeQuery(
      builder
        .selectFrom("events")
        .select(["time", "kind", "id", "address", "position", "amount"])
        .where("stream", "=", parameter<number>("stream"))
        .where("time", ">", parameter<number>("after"))
        .where("time", "<=", parameter<number>("until"))
        .where("seq", "<=", parameter<number>("seq"))
        .orderBy("time")
        .limit(parameter<number>("limit")),
    );
    this.#streams = storeQuery(builder.selectFrom("streams").select(["id", "key"]));
  }

  /** Their numbers by their keys. */
  async streams(): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.#database.run(this.#streams, {});
    return new Map(rows.map(({ id, key }) => [key, id]));
  }

  async page(range: EventRange): Promise<EventPage> {
    for (let limit = eventsPerPage; ; limit *= 2) {
      giveWay();
      const { rows } = await this.#database.run(this.#events, { ...range, limit });
      if (rows.length < limit) return pageOf(rows, null);
      // There may be more of the last one's second.
      const last = rows.at(-1)?.time ?? range.until;
      const whole = rows.slice(
        0,
        rows.findIndex(({ time }) => time === last),
      );
      const next = whole.at(-1)?.time;
      if (next !== undefined) return pageOf(whole, next);
    }
  }
}

function pageOf(rows: readonly StoredEvent[], next: number | null): EventPage {
  const events = rows.toSorted(byTimeKindAndId);
  return {
    times: events.map(({ time }) => time),
    addresses: packTexts(events.map(({ address }) => address)),
    positions: packTexts(events.map(({ position }) => position ?? "")),
    amounts: packTexts(events.map(({ amount }) => amount)),
    next,
  };
}

function byTimeKindAndId(a: StoredEvent, b: StoredEvent): number {
  if (a.time !== b.time) return a.time - b.time;
  if (a.kind !== b.kind) return a.kind - b.kind;
  return a.id < b.id ? -1 : 1;
}
