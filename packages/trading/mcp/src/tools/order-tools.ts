import { orderStatus, type TableRow } from "@proj/trading-client";
import * as z from "zod";
import { sendTrade } from "../calls/send-trade.ts";
import type { AddTool } from "./add-tool.ts";
import * as fields from "./fields.ts";
import type { ToolContext } from "./tool-context.ts";

const statusNames = Object.keys(orderStatus) as [keyof typeof orderStatus];

const order = z.object({
  order_id: z.string(),
  type: z
    .string()
    .describe("SE, LE: stop and limit entry; S, L: stop and limit of a trade; O, C: opens, closes"),
  status: z.enum(statusNames),
  symbol: z.string(),
  is_buy: z.boolean(),
  amount: z.number().describe("What remains of it"),
  rate: z.number(),
  stop: fields.rateOrNull,
  limit: fields.rateOrNull,
  trade_id: z
    .string()
    .nullable()
    .describe("The trade that this stop or limit protects; null: none"),
  placed_at: fields.time,
  expires_at: fields.time,
});

const placed = z.object({ order_id: z.string(), is_reconciled: z.boolean() });

/** Tools for entry orders, and for requests whose answer was lost. */
export function addOrderTools(add: AddTool, context: ToolContext): void {
  const { client, outcomes, timeoutMs } = context;
  add({
    name: "list_orders",
    title: "Orders",
    description: "The account's waiting orders, including the stops and limits of its trades.",
    isReadOnly: true,
    input: z.object({ account_id: fields.accountId }),
    output: z.object({ orders: z.array(order) }),
    run: async ({ account_id }, signal) => {
      const account = await context.account(account_id, signal);
      const orders = await context.rowsOf("Order", account, signal);
      return { orders: orders.map(orderOf) };
    },
  });
  add({
    name: "place_entry_order",
    title: "Place an entry order",
    description: "Places an order that opens a trade once the market reaches its rate.",
    isReadOnly: false,
    input: z.object({
      ...{ symbol: fields.symbol, is_buy: fields.isBuy, amount: fields.amount },
      rate: z
        .number()
        .positive()
        .describe("Above the market: a buy stop or sell limit; below: a buy limit or sell stop"),
      ...{ stop: fields.stop, limit: fields.limit, is_in_pips: fields.isInPips },
      ...{ trailing_stop_step: fields.trailingStopStep, account_id: fields.accountId },
    }),
    output: placed,
    run: async ({ account_id: wanted, ...entry }) => {
      const { accountId: account_id } = await context.account(wanted);
      const request = fields.given({ ...entry, account_id });
      const sent = await sendTrade(outcomes, () => client.createEntryOrder(request, { timeoutMs }));
      const order_id = sent.answer?.orderId ?? sent.found?.orderIds[0] ?? "";
      return { order_id, is_reconciled: sent.found !== null };
    },
  });
  add({
    name: "change_order",
    title: "Change an order",
    description: "Changes the rate or amount of a waiting order; omitted fields stay as they are.",
    isReadOnly: false,
    input: z.object({
      order_id: fields.orderId,
      rate: z.number().positive().optional(),
      amount: fields.amount.optional(),
    }),
    output: order,
    run: async ({ order_id, ...change }) => {
      await context.order(order_id);
      const request = fields.given({ order_id, ...change });
      await sendTrade(outcomes, () => client.changeOrder(request, { timeoutMs }));
      return orderOf(await context.order(order_id));
    },
  });
  add({
    name: "delete_order",
    title: "Delete an order",
    description: "Cancels a waiting order.",
    isReadOnly: false,
    input: z.object({ order_id: fields.orderId }),
    output: z.object({ order_id: z.string() }),
    run: async ({ order_id }) => {
      await context.order(order_id);
      await sendTrade(outcomes, () => client.deleteOrder({ order_id }, { timeoutMs }));
      return { order_id };
    },
  });
  add({
    name: "reconcile",
    title: "Find out what became of a request",
    description: "After the error outcome_unknown, finds out whether the request was executed.",
    isReadOnly: true,
    input: z.object({
      request_id: z.string().describe("The request_id of the error outcome_unknown"),
    }),
    output: z.object({
      outcome: z
        .enum(["executed", "not_executed", "unknown", "repeatable"])
        .describe("not_executed, repeatable: it is safe to send again"),
      order_ids: z.array(z.string()),
      trade_ids: z.array(z.string()),
    }),
    run: async ({ request_id }) => {
      const { outcome, orderIds, tradeIds } = await outcomes.ask(request_id);
      return { outcome, order_ids: [...orderIds], trade_ids: [...tradeIds] };
    },
  });
}

function orderOf(row: TableRow<"Order">): z.input<typeof order> {
  const status = statusNames.find((name) => orderStatus[name] === row.status) ?? "unknown";
  return {
    ...{ order_id: row.orderId, type: row.type, status, symbol: row.currency },
    ...{ is_buy: row.isBuy, amount: row.amountK, rate: row.isBuy ? row.buy : row.sell },
    ...{ stop: fields.rateOf(row.stop), limit: fields.rateOf(row.limit) },
    trade_id: row.tradeId || null,
    ...{ placed_at: fields.timeOf(row.time), expires_at: fields.timeOf(row.expireDate) },
  };
}
