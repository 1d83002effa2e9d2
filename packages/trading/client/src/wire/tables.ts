import type { AccountRecord } from "./account-record.ts";
import type { OcoRecord } from "./oco-record.ts";
import type { OfferRecord } from "./offer-record.ts";
import type { OrderRecord } from "./order-record.ts";
import type { ClosedPositionRecord, OpenPositionRecord } from "./position-records.ts";
import type { LeverageProfileRecord, PropertyRecord } from "./setting-records.ts";
import type { SummaryRecord } from "./summary-record.ts";

/** The record of each table, by the name of its model. */
export interface TableRecords {
  readonly Offer: OfferRecord;
  readonly OpenPosition: OpenPositionRecord;
  readonly ClosedPosition: ClosedPositionRecord;
  readonly Order: OrderRecord;
  readonly Summary: SummaryRecord;
  readonly LeverageProfile: LeverageProfileRecord;
  readonly Account: AccountRecord;
  readonly Properties: PropertyRecord;
  readonly OCO: OcoRecord;
}

/**
 * What snapshots and subscriptions call a table: the interface's eight names, and our `OCO`.
 * Also the name of the event that carries its changes.
 */
export type TableModel = keyof TableRecords;

export type TableRecord = TableRecords[TableModel];

export interface TableDescription<Model extends TableModel> {
  /** The number on its records; null: they have none. */
  readonly t: number | null;
  /** The member of a snapshot that holds its rows. */
  readonly member: string;
  /** The field that identifies a record. */
  readonly key: keyof TableRecords[Model] & string;
}

export const tables: { readonly [Model in TableModel]: TableDescription<Model> } = {
  Offer: { t: 0, member: "offers", key: "offerId" },
  OpenPosition: { t: 1, member: "open_positions", key: "tradeId" },
  ClosedPosition: { t: 2, member: "closed_positions", key: "tradeId" },
  Order: { t: 3, member: "orders", key: "orderId" },
  Summary: { t: 5, member: "summary", key: "offerId" },
  LeverageProfile: { t: null, member: "leverage_profile", key: "symbol" },
  Account: { t: 6, member: "accounts", key: "accountId" },
  Properties: { t: null, member: "properties", key: "name" },
  OCO: { t: 4, member: "oco", key: "ocoBulkId" },
};

export const tableModels: readonly TableModel[] = [
  "Offer",
  "OpenPosition",
  "ClosedPosition",
  "Order",
  "Summary",
  "LeverageProfile",
  "Account",
  "Properties",
  "OCO",
];

export function isTableModel(name: string): name is TableModel {
  return Object.hasOwn(tables, name);
}

/** Insert, update or delete. */
export type TableAction = "I" | "U" | "D";

/**
 * A pushed change. `I` carries the whole record; `U` and `D` carry the key, `t`, and the changed
 * members. An order's `D` carries its last status. A push without `action` is a `U`.
 */
export type PushedRecord<Model extends TableModel> = Partial<TableRecords[Model]> & {
  readonly action?: TableAction;
};

/** The last row of a snapshot: sums over the others, and empty strings. It is not a record. */
export interface TotalsRow {
  readonly isTotal: true;
  readonly [figure: string]: number | string | boolean | null;
}
