import { connectTrading } from "@proj/trading-client";

const { PAPER_TRADING_URL: url = "http://127.0.0.1:8780", PAPER_TRADING_TOKEN: token = "" } =
  process.env;
await using client = await connectTrading({ url, token });
const [account] = await client.snapshot("Account");
const order = await client.placeMarketOrder({
  account_id: account?.accountId ?? "",
  symbol: "EUR/USD",
  is_buy: true,
  amount: 10,
});
const { tradeIds } = await order.ended();
console.log(`order ${order.orderId} opened trade ${tradeIds.join(", ")}`);
for (const trade_id of tradeIds) await client.closeTrade({ trade_id });
