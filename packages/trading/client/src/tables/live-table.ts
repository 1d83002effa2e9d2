import type { Link } from "../connection/link.ts";
import { SlowConsumerError } from "../errors/slow-consumer-error.ts";
import { isJsonObject, type JsonObject } from "../reading/json-objects.ts";
import { readPayload } from "../reading/payload.ts";
import { Reader } from "../waiting/reader.ts";
import type { TableModel } from "../wire/index.ts";
import { Fifo } from "./fifo.ts";
import type { RenewedTable, TableChange } from "./table-change.ts";
import type { TableRow } from "./table-row.ts";
import { TableRows } from "./table-rows.ts";

export interface ChangesOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Most changes queued for the reader. None is ever dropped: with one more, the reader gets the queued
   * changes and then a SlowConsumerError.
   * @default the client's `maxQueuedChanges`
   */
  readonly maxQueued?: number | undefined;
}

/** A subscribed table, always current. */
export interface Table<Model extends TableModel> {
  readonly model: Model;
  /** Rows by their key field as text. Always the same map; rows are replaced, never changed. */
  readonly rows: ReadonlyMap<string, TableRow<Model>>;
  /**
   * Every change from now on, in order. They are queued from the moment of this call.
   * @throws SlowConsumerError when read: too many are queued
   */
  changes(options?: ChangesOptions): AsyncIterableIterator<TableChange<Model>>;
}

export interface LiveTableOptions<Model extends TableModel> {
  readonly model: Model;
  readonly maxQueuedChanges: number;
  readonly onChange: (change: TableChange<Model>) => void;
  readonly onUnreadable: (error: Error) => void;
}

/** A mirror and its readers, which outlive connections. */
export class LiveTable<Model extends TableModel> implements Table<Model> {
  readonly model: Model;
  readonly #options: LiveTableOptions<Model>;
  readonly #mirror: TableRows<Model>;
  readonly #readers = new Map<Reader<TableChange<Model>>, (change: TableChange<Model>) => void>();
  /** Pushes since the subscription, which wait for the snapshot; null: the snapshot is loaded. */
  #early: JsonObject[] | null = null;
  #end: { readonly error: Error | undefined } | null = null;

  constructor(options: LiveTableOptions<Model>) {
    this.model = options.model;
    this.#options = options;
    this.#mirror = new TableRows(options.model);
  }

  get rows(): ReadonlyMap<string, TableRow<Model>> {
    return this.#mirror.rows;
  }

  /** Receives the pushes of this connection and queues them until `load`. */
  attach(link: Link): void {
    this.#early = [];
    link.on(this.model, (payload) => this.#receive(payload, link));
  }

  /**
   * Loads a snapshot requested after the subscription, then applies the pushes that arrived meanwhile.
   * Some may already be in the snapshot; applying them again is harmless, because the newest value of each
   * member still comes last.
   * @param isFirst true: the snapshot's rows are not reported as changes
   */
  load(records: readonly JsonObject[], isFirst: boolean): RenewedTable {
    const changes = this.#mirror.replace(records);
    const early = this.#early ?? [];
    this.#early = null;
    if (!isFirst) for (const change of changes) this.#notify(change);
    for (const record of early) this.#apply(record);
    const count = (action: string): number =>
      isFirst ? 0 : changes.filter((change) => change.action === action).length;
    return { inserted: count("I"), updated: count("U"), deleted: count("D") };
  }

  changes({
    signal,
    maxQueued = this.#options.maxQueuedChanges,
  }: ChangesOptions = {}): AsyncIterableIterator<TableChange<Model>> {
    const queue = new Fifo<TableChange<Model>>();
    const reader: Reader<TableChange<Model>> = new Reader({
      take: () => queue.take(),
      release: () => this.#readers.delete(reader),
      signal,
    });
    this.#readers.set(reader, (change) => {
      if (queue.size >= maxQueued) {
        reader.end(new SlowConsumerError(this.model, maxQueued));
        return;
      }
      queue.put(change);
      reader.wake();
    });
    if (this.#end !== null) reader.end(this.#end.error);
    return reader;
  }

  /** Ends all readers. */
  end(error: Error | undefined): void {
    this.#end = { error };
    for (const reader of [...this.#readers.keys()]) reader.end(error);
  }

  #receive(payload: unknown, link: Link): void {
    try {
      const record = readPayload(payload);
      if (!isJsonObject(record)) throw new TypeError(`This is not a record: ${payload}`);
      if (this.#early === null) this.#apply(record);
      else if (this.#early.length < this.#options.maxQueuedChanges) this.#early.push(record);
      else link.close(`too many changes of ${this.model} were pushed before its snapshot arrived`);
    } catch (error) {
      this.#reportUnreadable(error);
    }
  }

  #apply(record: JsonObject): void {
    try {
      const change = this.#mirror.apply(record);
      if (change !== null) this.#notify(change);
    } catch (error) {
      this.#reportUnreadable(error);
    }
  }

  #notify(change: TableChange<Model>): void {
    for (const put of this.#readers.values()) put(change);
    this.#options.onChange(change);
  }

  #reportUnreadable(error: unknown): void {
    this.#options.onUnreadable(error instanceof Error ? error : new Error(String(error)));
  }
}
