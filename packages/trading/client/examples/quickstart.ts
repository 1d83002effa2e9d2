import assert from "node:assert/strict";
import { connectTrading } from "@proj/trading-client";

const [url = "http://127.0.0.1:8780", token = "demo"] = process.argv.slice(2);
const client = await connectTrading({ url, token });
const [account] = await client.snapshot("Account");
assert(account);

for await (const { symbol, ask } of client.prices(["EUR/USD"])) {
  const { accountId: account_id } = account;
  const order = await client.placeMarketOrder({ account_id, symbol, is_buy: true, amount: 10 });
  const { tradeIds, isComplete } = await order.ended();
  console.log(`bought ${symbol} at ${ask}: order ${order.orderId}, trades ${tradeIds.join(", ")}`);
  assert(isComplete && tradeIds.length > 0);
  break;
}
await client.close();
