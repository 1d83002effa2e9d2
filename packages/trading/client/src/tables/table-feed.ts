import type { CallOptions } from "../calls/call-options.ts";
import type { Caller } from "../calls/caller.ts";
import type { Call } from "../calls/sender.ts";
import type { Link } from "../connection/link.ts";
import type { JsonObject } from "../reading/json-objects.ts";
import { createTurns, type Turns } from "../waiting/turns.ts";
import type { TableModel } from "../wire/index.ts";
import { LiveTable, type Table } from "./live-table.ts";
import { snapshotCall } from "./snapshot-call.ts";
import type { RenewedTable, TableChange } from "./table-change.ts";
import type { TableRow } from "./table-row.ts";
import { readRows } from "./table-rows.ts";

export interface TableFeedOptions {
  readonly caller: Caller;
  readonly maxQueuedChanges: number;
  readonly onChange: { readonly [Model in TableModel]: (change: TableChange<Model>) => void };
  /** Called with the rows of each snapshot and each new subscription. */
  readonly onRows: (model: TableModel, rows: Iterable<unknown>) => void;
  readonly onUnreadable: (error: Error) => void;
}

type LiveTables = { [Model in TableModel]?: LiveTable<Model> };

/** Table snapshots and subscribed tables. */
export class TableFeed {
  readonly #options: TableFeedOptions;
  readonly #tables: LiveTables = {};
  readonly #turns: Turns = createTurns();

  constructor(options: TableFeedOptions) {
    this.#options = options;
  }

  async snapshot<Model extends TableModel>(
    model: Model,
    options: CallOptions,
  ): Promise<readonly TableRow<Model>[]> {
    const { caller, onRows } = this.#options;
    const { read, ...call } = snapshotCall([model]);
    const readModel = (answer: JsonObject) => readRows(model, read(answer).get(model) ?? []);
    const rows = await caller.call({ ...call, read: readModel }, options);
    onRows(model, rows);
    return rows;
  }

  subscribe<Model extends TableModel>(model: Model, options: CallOptions): Promise<Table<Model>> {
    const { caller } = this.#options;
    return caller.within(subscribeCall("/trading/subscribe", model), options, (signal) =>
      this.#turns.take(signal, async () => this.#tables[model] ?? this.#subscribe(model, signal)),
    );
  }

  /** The rows of a subscribed table. */
  rows<Model extends TableModel>(model: Model): ReadonlyMap<string, TableRow<Model>> | undefined {
    return this.#tables[model]?.rows;
  }

  async unsubscribe(model: TableModel, options: CallOptions): Promise<void> {
    const { caller } = this.#options;
    const call = subscribeCall("/trading/unsubscribe", model);
    await caller.within(call, options, (signal) =>
      this.#turns.take(signal, async () => {
        const table = this.#tables[model];
        if (table === undefined) return;
        delete this.#tables[model];
        table.end(undefined);
        caller.connection.current?.off(model);
        await caller.call(call, { signal });
      }),
    );
  }

  /** Subscribes to everything again and finds what changed meanwhile. */
  async renew(link: Link, signal: AbortSignal): Promise<ReadonlyMap<TableModel, RenewedTable>> {
    const { send } = this.#options.caller;
    const live = Object.values(this.#tables);
    if (live.length === 0) return new Map();
    for (const table of live) table.attach(link);
    const models = live.map(({ model }) => model);
    await Promise.all(
      models.map((model) => send(subscribeCall("/trading/subscribe", model), () => link, signal)),
    );
    const snapshot = await send(snapshotCall(models), () => link, signal);
    signal.throwIfAborted();
    return new Map(
      live.map((table) => [table.model, table.load(snapshot.get(table.model) ?? [], false)]),
    );
  }

  end(error: Error | undefined): void {
    for (const table of Object.values(this.#tables)) table.end(error);
  }

  async #subscribe<Model extends TableModel>(
    model: Model,
    signal: AbortSignal,
  ): Promise<LiveTable<Model>> {
    const { caller, onRows, onChange, ...options } = this.#options;
    const table = new LiveTable<Model>({ model, onChange: onChange[model], ...options });
    const call = subscribeCall("/trading/subscribe", model);
    return caller.overOneLink(signal, async (link, linkSignal) => {
      try {
        table.attach(link);
        await caller.send(call, () => link, linkSignal);
        const snapshot = await caller.send(snapshotCall([model]), () => link, linkSignal);
        linkSignal.throwIfAborted();
        table.load(snapshot.get(model) ?? [], true);
        Object.assign(this.#tables, { [model]: table });
        onRows(model, table.rows.values());
        return table;
      } catch (error) {
        link.off(model);
        throw error;
      }
    });
  }
}

/** One model per request (docs/interfaces.md, "Trading: tables"). */
function subscribeCall(
  path: "/trading/subscribe" | "/trading/unsubscribe",
  model: TableModel,
): Call<void> {
  const read = (): void => undefined;
  return { method: "POST", path, fields: { models: model }, isIdempotent: true, read };
}
