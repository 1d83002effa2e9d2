import type { PriceUpdate } from "@proj/trading-client/wire";
import type { TableChange } from "../engine/table-change.ts";
import { pushText } from "../wire/push-text.ts";
import type { Connection } from "./connection.ts";

/** All open connections. Each event is serialised once and pushed to its subscribers. */
export class Connections implements Iterable<Connection> {
  readonly #byId = new Map<string, Connection>();

  get size(): number {
    return this.#byId.size;
  }

  add(connection: Connection): void {
    this.#byId.set(connection.id, connection);
  }

  delete(id: string): void {
    this.#byId.delete(id);
  }

  get(id: string): Connection | undefined {
    return this.#byId.get(id);
  }

  [Symbol.iterator](): MapIterator<Connection> {
    return this.#byId.values();
  }

  pushPrices(updates: readonly PriceUpdate[]): void {
    for (const update of updates) {
      const { Symbol: symbol } = update;
      let text: string | undefined;
      for (const { symbols, outbox } of this) {
        if (!symbols.has(symbol)) continue;
        text ??= pushText(symbol, update);
        outbox.price(symbol, text);
      }
    }
  }

  pushChanges(changes: readonly TableChange[]): void {
    for (const { model, record } of changes) {
      let text: string | undefined;
      for (const { models, outbox } of this) {
        if (!models.has(model)) continue;
        text ??= pushText(model, record);
        outbox.change(text);
      }
    }
  }

  dropAll(): void {
    for (const connection of [...this]) connection.drop();
  }
}
