import { setImmediate } from "node:timers/promises";
import type { PointsDatabase } from "../storage/database.ts";
import {
  parameter,
  type QueryValues,
  type StoredQuery,
  storeQuery,
} from "../storage/stored-query.ts";
import { giveWay } from "../threads/give-way.ts";

const rowsPerRead = 200;

export interface StoredEvent {
  readonly seq: number;
  readonly id: string;
  readonly time: number;
  readonly kind: number;
  readonly address: string;
  readonly position: string | null;
  readonly amount: string;
}

export type StoredSwap = Pick<StoredEvent, "seq" | "time" | "address" | "amount">;

/** Events of one stream, after the first time until the last one, that had arrived with `seq` or before. */
export interface EventRange {
  readonly stream: number;
  readonly after: number;
  readonly until: number;
  readonly seq: number;
}

/** Reads events in the order of their times, some at a time, so that no transaction lasts. */
export class LedgerReader {
  readonly #database: PointsDatabase;
  readonly #events: StoredQuery<StoredEvent>;
  readonly #swaps: StoredQuery<StoredSwap>;
  readonly #streams: StoredQuery<{ id: number; key: string }>;
  readonly #signal: AbortSignal;

  constructor(database: PointsDatabase, signal: AbortSignal) {
    this.#database = database;
    this.#signal = signal;
    const { builder } = database;
    const range = builder
      .selectFrom("events")
      .where("stream", "=", parameter<number>("stream"))
      .where((build) =>
        build(
          build.refTuple("time", "seq"),
          ">",
          build.tuple(parameter<number>("after_time"), parameter<number>("after_seq")),
        ),
      )
      .where("time", "<=", parameter<number>("until"))
      .where("seq", "<=", parameter<number>("seq"))
      .orderBy("time")
      .orderBy("seq")
      .limit(rowsPerRead);
    this.#events = storeQuery(
      range.select(["seq", "id", "time", "kind", "address", "position", "amount"]),
    );
    this.#swaps = storeQuery(range.select(["seq", "time", "address", "amount"]));
    this.#streams = storeQuery(builder.selectFrom("streams").select(["id", "key"]));
  }

  /** Their numbers by their keys. */
  async streams(): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.#database.run(this.#streams, {});
    return new Map(rows.map(({ id, key }) => [key, id]));
  }

  swaps(range: EventRange): AsyncIterable<readonly StoredSwap[]> {
    return this.#read(this.#swaps, range);
  }

  events(range: EventRange): AsyncIterable<readonly StoredEvent[]> {
    return this.#read(this.#events, range);
  }

  async *#read<Row extends StoredSwap>(
    query: StoredQuery<Row>,
    { stream, after, until, seq }: EventRange,
  ): AsyncGenerator<readonly Row[]> {
    // No event has a larger `seq` than this, so that the first page begins after `after`.
    let last: Pick<StoredEvent, "time" | "seq"> | undefined = { time: after, seq };
    while (last !== undefined) {
      // A thread hears of an abort between its turns only.
      await setImmediate();
      giveWay();
      this.#signal.throwIfAborted();
      const values: QueryValues = {
        ...{ stream, until, seq },
        ...{ after_time: last.time, after_seq: last.seq },
      };
      const rows: readonly Row[] = (await this.#database.run(query, values)).rows;
      yield rows;
      last = rows.length === rowsPerRead ? rows.at(-1) : undefined;
    }
  }
}
