import { ApiError } from "@proj/trading-client";
import { expect, test } from "vitest";
import { connect } from "../server/connect.ts";
import { executed } from "../server/recorded-answers.ts";
import { TradingServer } from "../server/trading-server.ts";

const tooMany = {
  status: 403,
  body: { response: { executed: false, error: "too many requests" } },
};
const order = { account_id: "1", symbol: "EUR/USD", is_buy: true, amount: 1 };

test("a burst that the server turns away in part arrives as a whole, each order once", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  let left = 10;
  const refill = setInterval(() => {
    left = Math.min(10, left + 1);
  }, 5);
  let orders = 0;
  server.answer("/trading/open_trade", () => {
    if (left < 1) return tooMany;
    left -= 1;
    orders += 1;
    return executed({ data: { type: 0, orderId: String(orders) } });
  });
  const burst = Array.from({ length: 60 }, () => client.openTrade(order));
  const ids = (await Promise.all(burst)).map(({ orderId }) => orderId);
  clearInterval(refill);
  expect(new Set(ids).size).toBe(60);
  expect(orders).toBe(60);
  expect(server.requestsTo("/trading/open_trade").length).toBeGreaterThan(60);
});

test("a server that turns everything away is told to the caller", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server, { timeoutMs: 60_000 });
  server.answer("/trading/open_trade", () => tooMany);
  const error = await client.openTrade(order).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(server.requestsTo("/trading/open_trade")).toHaveLength(10);
});
