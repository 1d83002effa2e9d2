import type { TableModel } from "@proj/trading-protocol";
import type { ConnectionFailure } from "../connection/connection.ts";
import type { NotConnectedError } from "../errors/not-connected-error.ts";
import type { Price } from "../prices/price.ts";
import type { RenewedTable, TableChange } from "../tables/table-change.ts";

type TableEvents = { readonly [Model in TableModel]: TableChange<Model> };

/** What is told of a client, by the name of the event. Tables have the names of their models. */
export interface TradingEvents extends TableEvents {
  /** Every price of every subscribed symbol. */
  readonly price: Price;
  readonly disconnected: { readonly reason: string };
  /** An attempt to connect again has failed; another one follows. */
  readonly reconnectFailed: ConnectionFailure;
  /** All subscriptions are renewed; what the tables missed came before this as synthetic changes. */
  readonly reconnected: Reconnected;
  /** A push that could not be read, and was passed over. */
  readonly unreadable: { readonly error: Error };
  /** The end. Null: `close` was called; else the token is no longer accepted. */
  readonly closed: { readonly error: NotConnectedError | null };
}

export interface Reconnected {
  readonly connectionId: string;
  /** What each subscribed table missed. */
  readonly tables: ReadonlyMap<TableModel, RenewedTable>;
}
