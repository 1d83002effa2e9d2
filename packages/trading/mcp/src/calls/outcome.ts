import {
  type ClosingOutcome,
  type OrderOutcome,
  orderStatus,
  type PlacedOrder,
  TimeoutError,
} from "@proj/trading-client";
import * as z from "zod";
import type { Sent } from "./send-trade.ts";

/** What became of an order, as reported to agents. */
export interface Outcome {
  readonly order_id: string;
  readonly status: "executed" | "canceled" | "pending";
  readonly trade_ids: string[];
  /** Null: unknown, or nothing was filled. */
  readonly amount: number | null;
  readonly rate: number | null;
  /** Of a closing order; null: unknown, or it opened. */
  readonly gross_pl: number | null;
  readonly is_reconciled: boolean;
}

export const outcomeSchema: z.ZodType<Outcome, Outcome> = z.object({
  order_id: z.string(),
  status: z
    .enum(["executed", "canceled", "pending"])
    .describe("pending: the broker has accepted it and it has not ended yet; look again later"),
  trade_ids: z.array(z.string()).describe("The trades that it opened or closed"),
  amount: z.number().nullable().describe("What was filled; null: not known yet"),
  rate: z.number().nullable().describe("The average rate of the fill; null: not known yet"),
  gross_pl: z
    .number()
    .nullable()
    .describe(
      "Profit or loss of what it closed, without roll and commission; null: not known, or it opened",
    ),
  is_reconciled: z
    .boolean()
    .describe("true: the broker's answer was lost, and this comes from its tables"),
});

const unknown = { amount: null, rate: null, gross_pl: null };

/** An order whose end can be awaited. */
interface Awaited extends PlacedOrder {
  ended(options: { timeoutMs: number }): Promise<OrderOutcome | ClosingOutcome>;
}

/** Waits until the order ends or the time is up. */
export async function outcomesOf(
  { answer, found }: Sent<readonly Awaited[]>,
  timeoutMs: number,
): Promise<Outcome[]> {
  if (answer === null) {
    return found.orders.map(({ orderId, tradeIds, amount, rate, grossPL }) => ({
      order_id: orderId,
      // A waiting order has no trade yet.
      status: tradeIds.length === 0 ? "pending" : "executed",
      trade_ids: [...tradeIds],
      ...{ amount, rate, gross_pl: grossPL },
      is_reconciled: true,
    }));
  }
  return Promise.all(answer.map((order) => outcomeOf(order, timeoutMs)));
}

async function outcomeOf(order: Awaited, timeoutMs: number): Promise<Outcome> {
  const shared = { order_id: order.orderId, is_reconciled: false };
  try {
    const ended = await order.ended({ timeoutMs });
    const { status, tradeIds, amount, rate } = ended;
    const fill = { amount, rate, gross_pl: "grossPL" in ended ? ended.grossPL : null };
    const isCanceled = status === orderStatus.canceled && tradeIds.length === 0;
    return {
      ...shared,
      status: isCanceled ? "canceled" : "executed",
      trade_ids: [...tradeIds],
      ...fill,
    };
  } catch (error) {
    // Only the wait has failed: the broker still has the order.
    if (!(error instanceof TimeoutError)) throw error;
    return { ...shared, status: "pending", trade_ids: [], ...unknown };
  }
}
