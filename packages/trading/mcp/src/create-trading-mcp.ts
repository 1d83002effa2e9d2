import { readFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/server";
import type { TradingClient } from "@proj/trading-client";
import { addAccountTools } from "./tools/account-tools.ts";
import { type AddTool, addTool, type BeforeCall } from "./tools/add-tool.ts";
import { addMarketTools } from "./tools/market-tools.ts";
import { addOrderTools } from "./tools/order-tools.ts";
import { ToolContext } from "./tools/tool-context.ts";
import { addTradeTools } from "./tools/trade-tools.ts";

export interface TradingMcpOptions {
  /** The only account that agents see and trade; null: all of the broker's accounts. @default null */
  readonly account_id?: string | null;
  /** How long a call may wait for the broker, in milliseconds. @default 20_000 */
  readonly timeoutMs?: number;
  /** How long to wait for a market order before reporting it as `pending`, in milliseconds. @default 10_000 */
  readonly executionTimeoutMs?: number;
  /** Called before each tool; if it throws, the agent gets that error instead. @default none */
  readonly beforeCall?: BeforeCall;
}

/** Makes one MCP server per connection, all over the same broker client. */
export type TradingMcpFactory = () => McpServer;

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

const instructions =
  "Tools for trading at a broker. Amounts are multiples of contract_size (get_quotes): thousands of a currency, contracts of other products. Money is in the account's currency. " +
  "The error outcome_unknown means that an order may have been executed: never send it again before reconcile has settled it.";

/**
 * Creates the factory. Its servers share the client and the list of requests with unknown outcomes. The caller
 * closes the client.
 */
export function createTradingMcp(
  client: TradingClient,
  options: TradingMcpOptions = {},
): TradingMcpFactory {
  const { account_id = null, timeoutMs = 20_000, executionTimeoutMs = 10_000 } = options;
  const context = new ToolContext(client, { account_id, timeoutMs, executionTimeoutMs });
  return () => {
    const server = new McpServer({ name: "trading", version }, { instructions });
    const add: AddTool = (definition) => addTool(server, definition, options.beforeCall);
    for (const addTools of [addMarketTools, addAccountTools, addTradeTools, addOrderTools])
      addTools(add, context);
    return server;
  };
}
