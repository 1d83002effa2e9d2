import type { TableModel } from "@proj/trading-protocol";
import type { Link } from "../connection/link.ts";
import { SlowConsumerError } from "../errors/slow-consumer-error.ts";
import { isJsonObject, type JsonObject } from "../reading/json-objects.ts";
import { readPayload } from "../reading/payload.ts";
import { Reader } from "../waiting/reader.ts";
import { Fifo } from "./fifo.ts";
import type { RenewedTable, TableChange } from "./table-change.ts";
import type { TableRow } from "./table-row.ts";
import { TableRows } from "./table-rows.ts";

export interface ChangesOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * How many changes may wait to be read. None is ever dropped: one more, and the reader gets those
   * that wait and then a SlowConsumerError.
   * @default the client's `maxQueuedChanges`
   */
  readonly maxQueued?: number | undefined;
}

/** A subscribed table, as it is now. */
export interface Table<Model extends TableModel> {
  readonly model: Model;
  /** By the key field as text. Always the same map; its rows are replaced, never changed. */
  readonly rows: ReadonlyMap<string, TableRow<Model>>;
  /**
   * Every change from now on, in order. They wait to be read from the moment of this call.
   * @throws SlowConsumerError, when read: too many wait
   */
  changes(options?: ChangesOptions): AsyncIterableIterator<TableChange<Model>>;
}

export interface LiveTableOptions<Model extends TableModel> {
  readonly model: Model;
  readonly maxQueuedChanges: number;
  readonly onChange: (change: TableChange<Model>) => void;
  readonly onUnreadable: (error: Error) => void;
}

/** A mirror with its readers, which outlives connections. */
export class LiveTable<Model extends TableModel> implements Table<Model> {
  readonly model: Model;
  readonly #options: LiveTableOptions<Model>;
  readonly #mirror: TableRows<Model>;
  readonly #readers = new Map<Reader<TableChange<Model>>, (change: TableChange<Model>) => void>();
  /** What was pushed since the table was subscribed and must wait for the snapshot; null: nothing waits. */
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

  /** Takes the pushes of this connection; they wait until `load`. */
  attach(link: Link): void {
    this.#early = [];
    link.on(this.model, (payload) => this.#receive(payload, link));
  }

  /**
   * Takes a snapshot that was asked for after the subscription, and then what was pushed meanwhile.
   * What of that the snapshot has already is brought in once more: the last word on each member is
   * the newest all the same.
   * @param isFirst nothing is a change yet
   */
  load(records: readonly JsonObject[], isFirst: boolean): RenewedTable {
    const changes = this.#mirror.replace(records);
    const early = this.#early ?? [];
    this.#early = null;
    if (!isFirst) for (const change of changes) this.#tell(change);
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

  /** No more changes come. */
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
      else link.close(`too much was pushed of ${this.model} before its snapshot came`);
    } catch (error) {
      this.#tellUnreadable(error);
    }
  }

  #apply(record: JsonObject): void {
    try {
      const change = this.#mirror.apply(record);
      if (change !== null) this.#tell(change);
    } catch (error) {
      this.#tellUnreadable(error);
    }
  }

  #tell(change: TableChange<Model>): void {
    for (const put of this.#readers.values()) put(change);
    this.#options.onChange(change);
  }

  #tellUnreadable(error: unknown): void {
    this.#options.onUnreadable(error instanceof Error ? error : new Error(String(error)));
  }
}
