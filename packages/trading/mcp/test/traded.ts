import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type PaperBroker, type PaperBrokerConfig, startPaperBroker } from "@proj/paper-broker";
import { connectTrading, type TradingClient } from "@proj/trading-client";
import {
  createTradingMcp,
  type McpHttpServer,
  serveMcpHttp,
  type TradingMcpOptions,
} from "../src/index.ts";

export const token = "secret-token-of-the-test";
export const accountId = "1537581";

/** A broker whose market moves only on demand. */
export async function serveBroker(config: Partial<PaperBrokerConfig> = {}): Promise<PaperBroker> {
  const broker = await startPaperBroker({
    tokens: [token],
    accounts: [
      { account_id: accountId, balance: 50_000 },
      { account_id: "2000", balance: 10_000 },
    ],
    prices: { type: "simulated", seed: 7, start: "2026-01-12T10:00:00Z" },
    hours: null,
    history_hours: 2,
    speed: 0,
    ...config,
  });
  broker.market.advanceTo(broker.market.now + 10_000);
  return broker;
}

export interface Told {
  readonly isError: boolean;
  /** The tool's result, parsed from JSON. */
  readonly value: ReturnType<typeof JSON.parse>;
}

/** An agent that uses the official SDK's client. */
export class Agent implements AsyncDisposable {
  readonly client: Client = new Client({ name: "agent", version: "1.0.0" });

  async call(name: string, args: Record<string, unknown> = {}): Promise<Told> {
    const {
      isError = false,
      structuredContent,
      content,
    } = await this.client.callTool({
      name,
      arguments: args,
    });
    const [part] = content;
    const text = part?.type === "text" ? part.text : "";
    if (isError && !text.startsWith("{")) return { isError, value: { error: { message: text } } };
    const value = JSON.parse(text);
    if (!isError && JSON.stringify(structuredContent) !== text) throw new Error("they differ");
    return { isError, value };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}

export interface Served extends AsyncDisposable {
  readonly broker: PaperBroker;
  readonly client: TradingClient;
  readonly server: McpHttpServer;
  readonly agent: Agent;
}

/** A broker, its MCP server over HTTP, and an agent. */
export async function serveTrading(
  options: TradingMcpOptions = {},
  config: Partial<PaperBrokerConfig> = {},
  /** URL of another broker to use instead of an own one. */
  elsewhere?: string,
): Promise<Served> {
  const broker = await serveBroker(config);
  const url = elsewhere ?? broker.url;
  const client = await connectTrading({ url, token, reconnectMinDelayMs: 5 });
  const server = await serveMcpHttp(createTradingMcp(client, options));
  const agent = new Agent();
  await agent.client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  const dispose = async (): Promise<void> => {
    await agent[Symbol.asyncDispose]();
    await server.close();
    await client.close();
    await broker.close();
  };
  return { broker, client, server, agent, [Symbol.asyncDispose]: dispose };
}
