import type { ConnectionFailure } from "../connection/connection.ts";
import type { NotConnectedError } from "../errors/not-connected-error.ts";
import type { Price } from "../prices/price.ts";
import type { RenewedTable, TableChange } from "../tables/table-change.ts";
import type { TableModel } from "../wire/index.ts";

type TableEvents = { readonly [Model in TableModel]: TableChange<Model> };

/** A client's events by name. Table events are named after their models. */
export interface TradingEvents extends TableEvents {
  /** Every price of every subscribed symbol. */
  readonly price: Price;
  readonly disconnected: { readonly reason: string };
  /** An attempt to reconnect failed; another one follows. */
  readonly reconnectFailed: ConnectionFailure;
  /** All subscriptions are renewed. Changes that the tables missed were reported first, as synthetic ones. */
  readonly reconnected: Reconnected;
  /** No price or change came for a while, but the server answers. See `quietMs`. */
  readonly heartbeat: object;
  /** A push that could not be parsed and was skipped. */
  readonly unreadable: { readonly error: Error };
  /** The last event. Null: `close` was called; else the server no longer accepts the token. */
  readonly closed: { readonly error: NotConnectedError | null };
}

export interface Reconnected {
  readonly connectionId: string;
  /** What each subscribed table missed. */
  readonly tables: ReadonlyMap<TableModel, RenewedTable>;
}
