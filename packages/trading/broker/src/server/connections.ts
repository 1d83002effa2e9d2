import type { PriceUpdate } from "@proj/trading-client/wire";
import type { TableChange } from "../engine/table-change.ts";
import { pushText } from "../wire/push-text.ts";
import type { Connection } from "./connection.ts";
import type { RowOwners } from "./row-owners.ts";

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

  /** @param owners needed only if some tokens open one account */
  pushChanges(changes: readonly TableChange[], owners: RowOwners | null): void {
    for (const change of changes) {
      const { model, record } = change;
      const owner = owners?.ownerOf(change) ?? null;
      let text: string | undefined;
      for (const { models, outbox, access } of this) {
        if (!models.has(model)) continue;
        if (access !== null && owner !== null && owner !== access.accountId) continue;
        text ??= pushText(model, record);
        outbox.change(text);
      }
    }
  }

  dropAll(): void {
    for (const connection of [...this]) connection.drop();
  }
}
