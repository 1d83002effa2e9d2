import { type Candle, timeFrameIds } from "@proj/trading-client";
import * as z from "zod";
import { ToolError } from "../calls/tool-error.ts";
import type { AddTool } from "./add-tool.ts";
import * as fields from "./fields.ts";
import type { ToolContext } from "./tool-context.ts";

/** Keeps an answer small enough for a model's context. */
const maxCandles = 500;
const defaultCandles = 50;

const quote = z.object({
  symbol: z.string(),
  bid: z.number().describe("The rate at which you can sell"),
  ask: z.number().describe("The rate at which you can buy"),
  spread_pips: z.number(),
  pip: z.number().describe("The size of a pip, in units of the rate"),
  contract_size: z
    .number()
    .describe("Units that an amount of 1 is: 1000 of a currency, or 1 contract"),
  day_high: z.number(),
  day_low: z.number(),
  time: fields.time,
  is_tradable: z.boolean().describe("false: the market is closed"),
});

const candle = z.object({
  time: z.string().describe("When it began, ISO 8601 in UTC"),
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  ticks: z.number().describe("Number of prices in it"),
});

/** Tools for quotes and candles. */
export function addMarketTools(add: AddTool, context: ToolContext): void {
  const { client } = context;
  add({
    name: "get_quotes",
    title: "Quotes",
    description: "Current bid and ask of the given instruments, or of all instruments.",
    isReadOnly: true,
    input: z.object({ symbols: z.array(fields.symbol).min(1).max(100).optional() }),
    output: z.object({ quotes: z.array(quote) }),
    run: async ({ symbols }, signal) => {
      const offers = await context.rows("Offer", signal);
      const missing = symbols?.find((name) => offers.every(({ currency }) => currency !== name));
      if (missing !== undefined) {
        const known = offers.map(({ currency }) => currency).join(", ");
        throw new ToolError(
          "not_found",
          `There is no instrument ${missing}; the instruments are: ${known}.`,
        );
      }
      const quotes = offers
        .filter(({ currency }) => symbols?.includes(currency) ?? true)
        .map(({ currency, sell, buy, spread, pip, high, low, time, ...offer }) => ({
          ...{ symbol: currency, bid: sell, ask: buy, spread_pips: spread, pip },
          ...{ day_high: high, day_low: low, time: fields.timeOf(time) },
          contract_size: offer.contractSize ?? 1000,
          is_tradable: offer.sellTradable && offer.buyTradable,
        }));
      return { quotes };
    },
  });
  add({
    name: "get_candles",
    title: "Candles",
    description: "The newest candles of an instrument, oldest first.",
    isReadOnly: true,
    input: z.object({
      symbol: fields.symbol,
      period_id: z
        .enum(timeFrameIds as [string, ...string[]])
        .describe("m1 is a minute, M1 a month"),
      num: z.int().min(1).max(maxCandles).default(defaultCandles).describe("How many"),
      side: z.enum(["bid", "ask"]).default("bid").describe("Which prices"),
    }),
    output: z.object({ symbol: z.string(), period_id: z.string(), candles: z.array(candle) }),
    run: async ({ symbol, period_id, num, side }, signal) => {
      const frame = timeFrameIds.find((id) => id === period_id) ?? "m1";
      const { timeoutMs } = context;
      const query = { symbol, period_id: frame, num };
      const candles = await client.candles(query, { signal, timeoutMs });
      const write = side === "bid" ? bidCandle : askCandle;
      return { symbol, period_id: frame, candles: candles.map(write) };
    },
  });
}

const bidCandle = ({ time, tickQty: ticks, ...rates }: Candle): z.input<typeof candle> => ({
  ...{ time: time.toString(), open: rates.bidOpen, high: rates.bidHigh, low: rates.bidLow },
  ...{ close: rates.bidClose, ticks },
});

const askCandle = ({ time, tickQty: ticks, ...rates }: Candle): z.input<typeof candle> => ({
  ...{ time: time.toString(), open: rates.askOpen, high: rates.askHigh, low: rates.askLow },
  ...{ close: rates.askClose, ticks },
});
