import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { startPaperBroker } from "@proj/paper-broker";
import { connectTrading } from "@proj/trading-client";
import { createTradingMcp, serveMcpHttp } from "@proj/trading-mcp";

// A paper-money broker; any other that speaks the trading interface will do.
const token = "a-token-of-my-own";
const accounts = [{ account_id: "1537581", balance: 50_000 }];
const broker = await startPaperBroker({ tokens: [token], accounts, hours: null, history_hours: 1 });

const trading = await connectTrading({ url: broker.url, token });
const server = await serveMcpHttp(createTradingMcp(trading, { account_id: "1537581" }));

// The part of the agent's own MCP client.
const agent = new Client({ name: "agent", version: "1.0.0" });
await agent.connect(new StreamableHTTPClientTransport(new URL(server.url)));
const { structuredContent: opened } = await agent.callTool({
  name: "open_trade",
  arguments: { symbol: "EUR/USD", is_buy: true, amount: 10, stop: -30, is_in_pips: true },
});
assert.equal(Object(opened).status, "executed");

await agent.close();
await server.close();
await trading.close();
await broker.close();
