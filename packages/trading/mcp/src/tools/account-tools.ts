import type { TableRow } from "@proj/trading-client";
import * as z from "zod";
import type { AddTool } from "./add-tool.ts";
import * as fields from "./fields.ts";
import type { ToolContext } from "./tool-context.ts";

const marginStates = {
  N: "none",
  W: "warning",
  Y: "margin_call",
  Q: "equity_stop",
  A: "equity_alert",
} as const;

const account = z.object({
  account_id: z.string(),
  currency: z.string().describe("Of all money below"),
  balance: z.number().describe("Without the profit or loss of open positions"),
  equity: z.number().describe("balance + gross_pl"),
  gross_pl: z.number().describe("Profit or loss of all open positions"),
  day_pl: z.number().describe("Change of the equity since the trading day began"),
  used_margin: z.number(),
  usable_margin: z.number().describe("Margin left for new positions"),
  margin_state: z
    .enum(Object.values(marginStates))
    .describe("Unless none or equity_alert, no trade can be opened"),
  is_hedging: z.boolean().describe("false: an order closes opposite trades first"),
});

const position = z.object({
  trade_id: z.string(),
  order_id: z.string().describe("The order that opened it"),
  symbol: z.string(),
  is_buy: z.boolean(),
  amount: z.number().describe("Multiples of contract_size"),
  open_rate: z.number(),
  close_rate: z.number().describe("The rate at which it could be closed now"),
  gross_pl: z.number().describe("In the account's currency, without roll and commission"),
  pips: z.number().describe("Profit or loss in pips"),
  stop: fields.rateOrNull,
  limit: fields.rateOrNull,
  trailing_stop_step: z.number(),
  used_margin: z.number(),
  opened_at: fields.time,
});

const closedPosition = z.object({
  trade_id: z.string(),
  symbol: z.string(),
  is_buy: z.boolean(),
  amount: z.number(),
  open_rate: z.number(),
  close_rate: z.number(),
  gross_pl: z.number(),
  commission: z.number(),
  swap: z.number(),
  net_pl: z.number().describe("With commission and swap"),
  opened_at: fields.time,
  closed_at: fields.time,
});

/** Keeps an answer small enough for a model's context. */
const maxClosed = 200;

const ofAccount = z.object({ account_id: fields.accountId });

/** Tools for the account and its positions. */
export function addAccountTools(add: AddTool, context: ToolContext): void {
  add({
    name: "get_account",
    title: "Account",
    description: "Balance, equity, profit or loss and margin of the account, in its currency.",
    isReadOnly: true,
    input: ofAccount,
    output: account,
    run: async ({ account_id }, signal) => {
      const row = await context.account(account_id, signal);
      return accountOf(row, await context.currencyOf(row, signal));
    },
  });
  add({
    name: "list_positions",
    title: "Open positions",
    description: "The open trades of the account, with profit or loss, stop and limit.",
    isReadOnly: true,
    input: ofAccount,
    output: z.object({ positions: z.array(position) }),
    run: async ({ account_id }, signal) => {
      const row = await context.account(account_id, signal);
      const positions = await context.rowsOf("OpenPosition", row, signal);
      return { positions: positions.map(positionOf) };
    },
  });
  add({
    name: "list_closed_positions",
    title: "Closed positions",
    description:
      "The trades that the account has closed on this trading day or, with days, on earlier ones too; the newest 200.",
    isReadOnly: true,
    input: z.object({
      account_id: fields.accountId,
      days: z
        .int()
        .min(1)
        .max(3650)
        .optional()
        .describe("How far to look back, if the broker keeps a history"),
    }),
    output: z.object({ positions: z.array(closedPosition) }),
    run: async ({ account_id, days }, signal) => {
      const row = await context.account(account_id, signal);
      const positions =
        days === undefined
          ? await context.rowsOf("ClosedPosition", row, signal)
          : await context.closedSince(row, days, signal);
      return { positions: positions.slice(-maxClosed).map(closedPositionOf) };
    },
  });
}

function accountOf(row: TableRow<"Account">, currency: string): z.input<typeof account> {
  const { accountId, balance, equity, grossPL, dayPL, usdMr, usableMargin, mc, hedging } = row;
  return {
    ...{ account_id: accountId, currency, balance, equity, gross_pl: grossPL, day_pl: dayPL },
    ...{ used_margin: usdMr, usable_margin: usableMargin, margin_state: marginStates[mc] },
    is_hedging: hedging === "Y",
  };
}

function positionOf(row: TableRow<"OpenPosition">): z.input<typeof position> {
  const { tradeId, orderId, currency, isBuy, amountK, open, close, grossPL, visiblePL } = row;
  return {
    ...{ trade_id: tradeId, order_id: orderId, symbol: currency, is_buy: isBuy, amount: amountK },
    ...{ open_rate: open, close_rate: close, gross_pl: grossPL, pips: visiblePL },
    ...{ stop: fields.rateOf(row.stop), limit: fields.rateOf(row.limit) },
    ...{ trailing_stop_step: row.stopMove, used_margin: row.usedMargin },
    opened_at: fields.timeOf(row.time),
  };
}

function closedPositionOf(row: TableRow<"ClosedPosition">): z.input<typeof closedPosition> {
  const { tradeId, currency, isBuy, amountK, open, close, grossPL, com, roll } = row;
  return {
    ...{ trade_id: tradeId, symbol: currency, is_buy: isBuy, amount: amountK, open_rate: open },
    ...{ close_rate: close, gross_pl: grossPL, commission: com, swap: roll },
    net_pl: Math.round((grossPL + com + roll) * 100) / 100,
    ...{ opened_at: fields.timeOf(row.openTime), closed_at: fields.timeOf(row.closeTime) },
  };
}
