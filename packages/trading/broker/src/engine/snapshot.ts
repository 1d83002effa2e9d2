import {
  type TableModel,
  type TableRecords,
  type TotalsRow,
  tables as tableDescriptions,
} from "@proj/trading-client/wire";
import type { Tables } from "./tables/tables.ts";

/** The rows of every table, as pushed so far. */
export function snapshotOf(tables: Tables): {
  readonly [Model in TableModel]: () => readonly TableRecords[Model][];
} {
  return {
    // Sorted, so that an instrument shown again returns to its place.
    Offer: () =>
      [...tables.offers.rows.values()].sort((a, b) => a.defaultSortOrder - b.defaultSortOrder),
    OpenPosition: () => [...tables.openPositions.rows.values()],
    ClosedPosition: () => [...tables.closedPositions.rows.values()],
    Order: () => [...tables.orders.rows.values()],
    Summary: () => [...tables.summaries.rows.values()],
    LeverageProfile: () => tables.leverageProfiles,
    Account: () => [...tables.accounts.rows.values()],
    Properties: () => tables.properties,
    OCO: () => [...tables.groups.rows.values()],
  };
}

/** Fields that are summed over a table's rows; the other tables have no totals. */
const summed: { readonly [Model in TableModel]?: readonly (keyof TableRecords[Model] & string)[] } =
  {
    OpenPosition: ["roll", "com", "grossPL", "amountK", "usedMargin"],
    ClosedPosition: ["roll", "com", "grossPL", "amountK"],
    Order: ["amountK"],
    Summary: [
      ...(["plSell", "amountKSell", "amountKBuy", "rollSum", "usedMargin"] as const),
      ...(["usedMarginSell", "usedMarginBuy", "plBuy", "amountK", "grossPL", "netPL"] as const),
    ],
    Account: [
      ...(["balance", "equity", "grossPL", "dayPL"] as const),
      ...(["usdMr", "usdMr3", "usableMargin", "usableMargin3"] as const),
    ],
  };

/** Fields that are empty in the totals row: clients recognise the row by its empty ids. */
const emptyTexts: {
  readonly [Model in TableModel]?: readonly (keyof TableRecords[Model] & string)[];
} = {
  OpenPosition: [
    ...(["tradeId", "orderId", "accountName", "accountId"] as const),
    ...(["currency", "valueDate", "time"] as const),
  ],
  ClosedPosition: [
    ...(["tradeId", "orderId", "accountName"] as const),
    ...(["currency", "valueDate", "openTime", "closeTime", "closeOrderId"] as const),
  ],
  Order: [
    ...(["orderId", "tradeId", "accountName", "accountId", "currency"] as const),
    ...(["time", "timeInForce", "expireDate", "type"] as const),
  ],
  Summary: ["currency"],
  Account: ["accountId", "accountName", "mc", "mcDate", "hedging"],
};

/** The last row of a snapshot; null: the table has none. */
export function totalsOf(model: TableModel, rows: readonly object[]): TotalsRow | null {
  const fields = summed[model];
  if (fields === undefined) return null;
  const sums: Record<string, number> = {};
  for (const field of fields)
    sums[field] = rows.reduce((sum, row) => sum + centsIn(row, field), 0) / 100;
  const texts = Object.fromEntries((emptyTexts[model] ?? []).map((name) => [name, ""]));
  return { t: tableDescriptions[model].t, ratePrecision: 0, ...texts, ...sums, isTotal: true };
}

/** In cents: every summed field has at most two decimals. */
function centsIn(row: object, field: string): number {
  const value: unknown = Object.entries(row).find(([name]) => name === field)?.[1];
  return typeof value === "number" ? Math.round(value * 100) : 0;
}
