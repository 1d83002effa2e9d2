import * as z from "zod";
import { outcomeSchema, outcomesOf } from "../calls/outcome.ts";
import { sendTrade } from "../calls/send-trade.ts";
import { ToolError } from "../calls/tool-error.ts";
import type { AddTool } from "./add-tool.ts";
import * as fields from "./fields.ts";
import type { ToolContext } from "./tool-context.ts";

/** Tools for opening, closing and protecting trades. */
export function addTradeTools(add: AddTool, context: ToolContext): void {
  const { client, outcomes, executionTimeoutMs, timeoutMs } = context;
  add({
    name: "open_trade",
    title: "Open a trade",
    description: "Buys or sells at the market now, optionally with a stop and a limit.",
    isReadOnly: false,
    input: z.object({
      ...{ symbol: fields.symbol, is_buy: fields.isBuy, amount: fields.amount },
      ...{ stop: fields.stop, limit: fields.limit, is_in_pips: fields.isInPips },
      ...{ trailing_stop_step: fields.trailingStopStep, account_id: fields.accountId },
    }),
    output: outcomeSchema,
    run: async ({ account_id: wanted, ...order }) => {
      const { accountId: account_id } = await context.account(wanted);
      const request = fields.given({ ...order, account_id });
      const sent = await sendTrade(outcomes, async () => [
        await client.placeMarketOrder(request, { timeoutMs }),
      ]);
      return only(await outcomesOf(sent, executionTimeoutMs));
    },
  });
  add({
    name: "close_trade",
    title: "Close a trade",
    description: "Closes all or part of a trade at the market now.",
    isReadOnly: false,
    input: z.object({
      trade_id: fields.tradeId,
      amount: fields.amount.optional().describe("Default: all of it"),
    }),
    output: outcomeSchema,
    run: async (closing) => {
      await context.openTrade(closing.trade_id);
      const sent = await sendTrade(outcomes, async () => [
        await client.placeClosing(fields.given(closing), { timeoutMs }),
      ]);
      return only(await outcomesOf(sent, executionTimeoutMs));
    },
  });
  add({
    name: "close_all_trades",
    title: "Close all trades",
    description: "Closes all trades of a symbol, or of the whole account, at the market now.",
    isReadOnly: false,
    input: z.object({
      symbol: fields.symbol
        .optional()
        .describe("Only trades in this instrument; default: all trades"),
      account_id: fields.accountId,
    }),
    output: z.object({ orders: z.array(outcomeSchema) }),
    run: async ({ symbol, account_id: wanted }) => {
      const account = await context.account(wanted);
      const open = await context.rowsOf("OpenPosition", account);
      const [first] = open.filter(({ currency }) => currency === (symbol ?? currency));
      if (first === undefined) return { orders: [] };
      const { accountId: account_id } = account;
      const all = { account_id, forSymbol: symbol !== undefined, symbol: first.currency };
      const sent = await sendTrade(outcomes, () => client.placeClosings(all, { timeoutMs }));
      return { orders: await outcomesOf(sent, executionTimeoutMs) };
    },
  });
  add({
    name: "set_stop_limit",
    title: "Set stop and limit of a trade",
    description:
      "Sets or removes the stop and the limit of an open trade, both or neither; omitted ones stay as they are.",
    isReadOnly: false,
    input: z.object({
      trade_id: fields.tradeId,
      stop: fields.stop.describe("A rate, or signed pips from the opening rate; 0 removes it"),
      limit: fields.limit.describe("A rate, or signed pips from the opening rate; 0 removes it"),
      is_in_pips: fields.isInPips,
      trailing_stop_step: fields.trailingStopStep,
    }),
    output: z.object({ trade_id: z.string(), stop: fields.rateOrNull, limit: fields.rateOrNull }),
    run: async ({ trade_id, stop, limit, is_in_pips, trailing_stop_step }) => {
      await context.openTrade(trade_id);
      if (stop === undefined && limit === undefined && trailing_stop_step === undefined)
        throw new ToolError("invalid_request", "Pass stop, limit or trailing_stop_step.");
      const request = fields.given({ trade_id, stop, limit, is_in_pips, trailing_stop_step });
      await sendTrade(outcomes, () => client.setStopLimit(request, { timeoutMs }));
      const row = await context.openTrade(trade_id);
      return { trade_id, stop: fields.rateOf(row.stop), limit: fields.rateOf(row.limit) };
    },
  });
}

/** The outcome of a request that places one order. */
function only<T>([outcome]: readonly T[]): T {
  if (outcome === undefined) throw new TypeError("a request was executed without placing an order");
  return outcome;
}
