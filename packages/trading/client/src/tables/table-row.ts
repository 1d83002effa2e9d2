import type { Temporal } from "temporal-polyfill";
import type { TableModel, TableRecords } from "../wire/index.ts";

/** The members that are times; 17 digits on the wire. */
export interface TimeFields {
  readonly Offer: "time";
  readonly OpenPosition: "time";
  readonly ClosedPosition: "openTime" | "closeTime";
  readonly Order: "time" | "expireDate";
  readonly Summary: never;
  readonly LeverageProfile: never;
  readonly Account: "mcDate";
  readonly Properties: never;
  readonly OCO: never;
}

/** The members that are days; MMddyyyy on the wire. */
export interface DateFields {
  readonly Offer: "valueDate";
  readonly OpenPosition: "valueDate";
  readonly ClosedPosition: "valueDate";
  readonly Order: never;
  readonly Summary: never;
  readonly LeverageProfile: never;
  readonly Account: never;
  readonly Properties: never;
  readonly OCO: never;
}

/**
 * A table row: the wire's record, with times as instants and value dates as plain dates, or null if
 * missing. Rows are immutable: a change makes a new one.
 */
export type TableRow<Model extends TableModel> = Readonly<
  Omit<TableRecords[Model], "t" | TimeFields[Model] | DateFields[Model]> &
    Record<TimeFields[Model], Temporal.Instant | null> &
    Record<DateFields[Model], Temporal.PlainDate | null>
>;

export const timeFields: { readonly [Model in TableModel]: readonly TimeFields[Model][] } = {
  Offer: ["time"],
  OpenPosition: ["time"],
  ClosedPosition: ["openTime", "closeTime"],
  Order: ["time", "expireDate"],
  Summary: [],
  LeverageProfile: [],
  Account: ["mcDate"],
  Properties: [],
  OCO: [],
};

export const dateFields: { readonly [Model in TableModel]: readonly DateFields[Model][] } = {
  Offer: ["valueDate"],
  OpenPosition: ["valueDate"],
  ClosedPosition: ["valueDate"],
  Order: [],
  Summary: [],
  LeverageProfile: [],
  Account: [],
  Properties: [],
  OCO: [],
};
