import * as z from "zod";

// Fields shared by the inputs and outputs of several tools.

export const symbol: z.ZodString = z.string().describe("Instrument, such as EUR/USD or US30");
export const accountId: z.ZodOptional<z.ZodString> = z
  .string()
  .optional()
  .describe("Account; default: the only or first one");
export const tradeId: z.ZodString = z.string().describe("Trade id from list_positions");
export const orderId: z.ZodString = z.string().describe("Order id from list_orders");
export const isBuy: z.ZodBoolean = z
  .boolean()
  .describe("true: buy the base currency; false: sell it");
export const amount: z.ZodNumber = z
  .number()
  .positive()
  .describe("Times contract_size of get_quotes: 10 EUR/USD is 10,000 euros");
export const stop: z.ZodOptional<z.ZodNumber> = z
  .number()
  .optional()
  .describe("Stop loss: a rate, or signed pips from the entry with is_in_pips (-30: 30 below it)");
export const limit: z.ZodOptional<z.ZodNumber> = z
  .number()
  .optional()
  .describe("Take profit: a rate, or signed pips from the entry with is_in_pips (60: 60 above it)");
export const isInPips: z.ZodOptional<z.ZodBoolean> = z
  .boolean()
  .optional()
  .describe("Whether stop and limit are pips; default: rates");
export const trailingStopStep: z.ZodOptional<z.ZodNumber> = z
  .number()
  .optional()
  .describe("Trailing stop: 0 none, 1 dynamic, 10 or more: pips");
export const time: z.ZodNullable<z.ZodString> = z
  .string()
  .nullable()
  .describe("ISO 8601 in UTC; null: none");
/** A row's stop or limit. */
export const rateOrNull: z.ZodNullable<z.ZodNumber> = z
  .number()
  .nullable()
  .describe("A rate; null: none");

/** Rows have 0 for none. */
export const rateOf = (rate: number): number | null => (rate === 0 ? null : rate);
export const timeOf = (instant: { toString(): string } | null): string | null =>
  instant?.toString() ?? null;
/** Drops undefined members. */
export function given<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as {
    [Name in keyof Fields]: Exclude<Fields[Name], undefined>;
  };
}
