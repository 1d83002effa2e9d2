import type { PointsDatabase } from "../storage/database.ts";
import { parameter, type StoredQuery, storeQuery } from "../storage/stored-query.ts";
import { giveWay } from "../threads/give-way.ts";
import { packTexts } from "../threads/packed-texts.ts";
import type { EventPage, EventRange, EventSource } from "./event-source.ts";

/** More where more happened in one second. */
const eventsPerPage = 1000;

interface StoredSwap {
  readonly time: number;
  readonly address: string;
  readonly amount: string;
}

interface StoredPosition extends StoredSwap {
  readonly kind: number;
  readonly id: string;
  readonly position: string | null;
}

export class LedgerReader implements EventSource {
  readonly #database: PointsDatabase;
  readonly #swaps: StoredQuery<StoredSwap>;
  readonly #positions: StoredQuery<StoredPosition>;
  readonly #streams: StoredQuery<{ id: number; key: string }>;

  constructor(database: PointsDatabase) {
    this.#database = database;
    const { builder } = database;
    const range = builder
      .selectFrom("events")
      .where("stream", "=", parameter<number>("stream"))
      .where("time", ">", parameter<number>("after"))
      .where("time", "<=", parameter<number>("until"))
      .where("seq", "<=", parameter<number>("seq"))
      .orderBy("time")
      .limit(parameter<number>("limit"))
      .select(["time", "address", "amount"]);
    this.#swaps = storeQuery(range);
    this.#positions = storeQuery(range.select(["kind", "id", "position"]));
    this.#streams = storeQuery(builder.selectFrom("streams").select(["id", "key"]));
  }

  /** Their numbers by their keys. */
  async streams(): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.#database.run(this.#streams, {});
    return new Map(rows.map(({ id, key }) => [key, id]));
  }

  async page(range: EventRange): Promise<EventPage> {
    if (range.type === "swap") {
      const { rows, next } = await this.#read(this.#swaps, range);
      return pageOf(rows, [], next);
    }
    const { rows, next } = await this.#read(this.#positions, range);
    const events = rows.toSorted(byTimeKindAndId);
    const positions = events.map(({ position }) => position ?? "");
    return pageOf(events, positions, next);
  }

  async #read<Row extends StoredSwap>(
    query: StoredQuery<Row>,
    { stream, after, until, seq }: EventRange,
  ): Promise<{ readonly rows: readonly Row[]; readonly next: number | null }> {
    for (let limit = eventsPerPage; ; limit *= 2) {
      giveWay();
      const { rows } = await this.#database.run(query, { stream, after, until, seq, limit });
      if (rows.length < limit) return { rows, next: null };
      // There may be more of the last one's second.
      const last = rows.at(-1)?.time ?? until;
      const end = rows.findIndex(({ time }) => time === last);
      const next = rows[end - 1]?.time;
      if (next !== undefined) return { rows: rows.slice(0, end), next };
    }
  }
}

function pageOf(
  events: readonly StoredSwap[],
  positions: readonly string[],
  next: number | null,
): EventPage {
  return {
    times: events.map(({ time }) => time),
    addresses: packTexts(events.map(({ address }) => address)),
    positions: packTexts(positions),
    amounts: packTexts(events.map(({ amount }) => amount)),
    next,
  };
}

function byTimeKindAndId(a: StoredPosition, b: StoredPosition): number {
  if (a.time !== b.time) return a.time - b.time;
  if (a.kind !== b.kind) return a.kind - b.kind;
  return a.id < b.id ? -1 : 1;
}
