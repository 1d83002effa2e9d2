import {
  type OrderOutcome,
  orderStatus,
  type PlacedOrder,
  TimeoutError,
} from "@proj/trading-client";
import * as z from "zod";
import type { Sent } from "./send-trade.ts";

/** What became of an order, as agents read it. */
export interface Outcome {
  readonly order_id: string;
  readonly status: "executed" | "canceled" | "pending";
  readonly trade_ids: string[];
  readonly is_reconciled: boolean;
}

export const outcomeSchema: z.ZodType<Outcome, Outcome> = z.object({
  order_id: z.string(),
  status: z
    .enum(["executed", "canceled", "pending"])
    .describe("pending: the broker has it, and it has not ended yet; look again later"),
  trade_ids: z.array(z.string()).describe("The trades that it opened or closed"),
  is_reconciled: z
    .boolean()
    .describe("true: the broker's answer got lost, and its tables tell what became of the order"),
});

/** An order that can be waited for. */
interface Awaited extends PlacedOrder {
  ended(options: { timeoutMs: number }): Promise<OrderOutcome>;
}

/** Waits for the end of an order that the broker has, as long as it may. */
export async function outcomesOf(
  { answer, found }: Sent<readonly Awaited[]>,
  timeoutMs: number,
): Promise<Outcome[]> {
  if (answer === null) {
    const ended = { status: "executed", is_reconciled: true } as const;
    // Of several orders the tables do not tell whose trades are whose.
    const trade_ids = found.orderIds.length === 1 ? [...found.tradeIds] : [];
    return found.orderIds.map((order_id) => ({ order_id, trade_ids, ...ended }));
  }
  return Promise.all(answer.map((order) => outcomeOf(order, timeoutMs)));
}

async function outcomeOf(order: Awaited, timeoutMs: number): Promise<Outcome> {
  const shared = { order_id: order.orderId, is_reconciled: false };
  try {
    const { status, tradeIds } = await order.ended({ timeoutMs });
    const isCanceled = status === orderStatus.canceled && tradeIds.length === 0;
    return { ...shared, status: isCanceled ? "canceled" : "executed", trade_ids: [...tradeIds] };
  } catch (error) {
    // The order itself is at the broker, whatever happens to those who wait for it.
    if (!(error instanceof TimeoutError)) throw error;
    return { ...shared, status: "pending", trade_ids: [] };
  }
}
