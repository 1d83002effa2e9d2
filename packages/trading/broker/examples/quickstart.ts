import assert from "node:assert/strict";
import { startPaperBroker } from "@proj/paper-broker";
import { connectTrading } from "@proj/trading-client";

await using broker = await startPaperBroker({
  tokens: ["a-token-of-my-own"],
  accounts: [{ account_id: "1537581", balance: 50_000 }],
  prices: { type: "simulated", seed: 7 },
  hours: null, // never closed
  history_hours: 1,
});

await using client = await connectTrading({ url: broker.url, token: "a-token-of-my-own" });
const order = await client.placeMarketOrder({
  account_id: "1537581",
  symbol: "EUR/USD",
  is_buy: true,
  amount: 10, // thousands
  stop: -30, // pips
  is_in_pips: true,
});
const { tradeIds } = await order.ended();
const [position] = await client.snapshot("OpenPosition");
assert.equal(position?.orderId, order.orderId);
assert.equal(position?.tradeId, tradeIds[0]);
