import { once } from "node:events";
import { join } from "node:path";
import { openPaperMarket } from "@proj/paper-broker";
import { quantileOfSorted } from "../statistics.ts";
import { advance, MARKET, order } from "./bench-market.ts";
import { openSocket } from "./open-socket.ts";
import { ACCOUNT_ID, TOKEN } from "./trading-protocol.ts";

/** Market orders per second through the engine alone: one opens, the next closes. */
export function engineOrdersPerSecond(folder: string | null, windowMs: number): number {
  const state_file = folder === null ? null : join(folder, `engine-${Date.now()}.db`);
  const market = openPaperMarket({ ...MARKET, state_file });
  advance(market, 10_000);
  let orders = 0;
  const start = performance.now();
  while (performance.now() - start < windowMs) {
    const opened = market.execute("open_trade", order("EUR/USD", true));
    const trade_id = market.snapshot("OpenPosition")[0]?.tradeId ?? "";
    const execution = { order_type: "AtMarket", time_in_force: "GTC" } as const;
    const closed = market.execute("close_trade", { trade_id, ...execution });
    if (!opened.executed || !closed.executed) throw new Error("an order was refused");
    orders += 2;
  }
  const seconds = (performance.now() - start) / 1000;
  market.close();
  return orders / seconds;
}

export interface FillTimes {
  readonly orders: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

/** Untimed orders, while the broker's code is not compiled yet. */
const WARM_UP = 300;

/** Time from sending an order until the push with its trade id, one order after the other. */
export async function fillTimes(url: string, orders: number): Promise<FillTimes> {
  const socket = await openSocket(url);
  const headers = { authorization: `Bearer ${socket.id}${TOKEN}` };
  const post = async (path: string, fields: Record<string, string>): Promise<string> => {
    const body = new URLSearchParams(fields);
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers,
      body,
      signal: AbortSignal.timeout(10_000),
    });
    const { response: envelope, message, data } = Object(await response.json());
    if (envelope?.executed !== true) throw new Error(`${path} was refused: ${message}`);
    return String(data?.orderId);
  };
  await post("/trading/subscribe", { models: "Order" });
  const times: number[] = [];
  const fills = new Map<string, { readonly tradeId: string; readonly at: number }>();
  const pushes = new EventTarget();
  socket.on("Order", (json: string) => {
    const { orderId, tradeId } = JSON.parse(json);
    if (tradeId === undefined) return;
    fills.set(orderId, { tradeId, at: performance.now() });
    pushes.dispatchEvent(new Event(orderId));
  });
  const fillOf = async (orderId: string) => {
    const signal = AbortSignal.timeout(10_000);
    if (!fills.has(orderId)) await once(pushes, orderId, { signal });
    const fill = fills.get(orderId);
    if (fill === undefined) throw new Error(`the order ${orderId} was not filled`);
    return fill;
  };
  const execution = { order_type: "AtMarket", time_in_force: "GTC" };
  const opening = { account_id: ACCOUNT_ID, symbol: "EUR/USD", is_buy: "true", amount: "1" };
  try {
    for (let index = 0; index < WARM_UP + orders; index += 1) {
      const start = performance.now();
      const orderId = await post("/trading/open_trade", { ...opening, ...execution });
      const { tradeId, at } = await fillOf(orderId);
      if (index >= WARM_UP) times.push(at - start);
      await post("/trading/close_trade", { trade_id: tradeId, ...execution });
    }
  } finally {
    socket.close();
  }
  const sorted = times.toSorted((a, b) => a - b);
  return { orders, p50_ms: quantileOfSorted(sorted, 0.5), p99_ms: quantileOfSorted(sorted, 0.99) };
}
