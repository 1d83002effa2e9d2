import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import { packTexts } from "../bytes/packed-texts.ts";
import { giveWay } from "../scheduling/give-way.ts";
import type { PointsDatabase, PointsQuery, PointsSource } from "../storage/source.ts";
import type { EventPage, EventRange, EventSource } from "./event-source.ts";
import { priceKey } from "./streams.ts";

/** A page has more if a single second has more. */
const eventsPerPage = 1000;

interface StoredSwap {
  readonly time: number;
  readonly address: string;
  readonly amount: string;
}

interface StoredPosition extends StoredSwap {
  readonly sequence: number;
  readonly kind: number;
  readonly id: string;
  readonly position: string | null;
}

const range = ({ db }: PointsSource) =>
  db
    .selectFrom("events")
    .where("stream", "=", parameter<number>("stream"))
    .where("time", ">", parameter<number>("after"))
    .where("time", "<=", parameter<number>("until"))
    .where("seq", "<=", parameter<number>("seq"))
    .where((build) =>
      build.or([
        build("retracted_seq", "is", null),
        build("retracted_seq", ">", parameter<number>("seq")),
      ]),
    )
    .orderBy("time")
    .limit(parameter<number>("limit"))
    .select(["time", "address", "amount"]);
const readSwaps = query(range);
const readPositions = query((source: PointsSource) =>
  range(source).select(["sequence", "kind", "id", "position"]),
);
const readStreams = query(({ db }: PointsSource) =>
  db
    .selectFrom("streams")
    .select(["id", "key"])
    .where((build) =>
      build.or(["pool/%", "pair/%", "amount/%"].map((form) => build("key", "like", form))),
    ),
);
const findStream = query(({ db }: PointsSource) =>
  db.selectFrom("streams").select(["id", "key"]).where("key", "=", parameter<string>("key")),
);

export class LedgerReader implements EventSource {
  readonly #database: PointsDatabase;

  constructor(database: PointsDatabase) {
    this.#database = database;
  }

  /** The numbers of pools, of pairs, and of the tokens' prices that swaps of these need, by key. */
  async streams(): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.#database.run(readStreams, {});
    const streams = new Map(rows.map(({ id, key }) => [key, id]));
    const amounts = rows.filter(({ key }) => key.startsWith("amount/"));
    // Only the prices needed: there may be very many tokens.
    for (const token of new Set(amounts.map(({ key }) => key.slice(key.lastIndexOf("/") + 1)))) {
      const key = priceKey(token);
      for (const { id } of (await this.#database.run(findStream, { key })).rows)
        streams.set(key, id);
    }
    return streams;
  }

  async page(range: EventRange): Promise<EventPage> {
    if (range.type === "swap") {
      const { rows, next } = await this.#read(readSwaps, range);
      return pageOf(rows, [], next);
    }
    const { rows, next } = await this.#read(readPositions, range);
    const events = rows.toSorted(inOrder);
    const positions = events.map(({ position }) => position ?? "");
    return pageOf(events, positions, next);
  }

  async #read<Row extends StoredSwap>(
    query: PointsQuery<Row>,
    { stream, after, until, seq }: EventRange,
  ): Promise<{ readonly rows: readonly Row[]; readonly next: number | null }> {
    for (let limit = eventsPerPage; ; limit *= 2) {
      giveWay();
      const { rows } = await this.#database.run(query, { stream, after, until, seq, limit });
      if (rows.length < limit) return { rows, next: null };
      // The last second may have more events than were read.
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

function inOrder(a: StoredPosition, b: StoredPosition): number {
  if (a.time !== b.time) return a.time - b.time;
  if (a.sequence !== b.sequence) return a.sequence - b.sequence;
  if (a.kind !== b.kind) return a.kind - b.kind;
  return a.id < b.id ? -1 : 1;
}
