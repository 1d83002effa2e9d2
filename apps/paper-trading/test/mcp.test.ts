import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "vitest";
import { bin, said, startPaperTrading } from "./paper-trading-process.ts";

const order = { symbol: "EUR/USD", is_buy: true, amount: 10 };

async function startBroker() {
  const program = startPaperTrading(["--port", "0"]);
  const [url, token] = [await said(program, "address"), await said(program, "token")];
  return { program, url, token, [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]() };
}

test("mcp trades over stdio and ends with its input", async () => {
  await using broker = await startBroker();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ["--conditions=@proj/source", bin, "mcp", "--account", "1537581"],
    env: { PAPER_TRADING_URL: broker.url, PAPER_TRADING_TOKEN: broker.token },
    stderr: "inherit",
  });
  const client = new Client({ name: "agent", version: "1.0.0" });
  await client.connect(transport);
  const { structuredContent } = await client.callTool({ name: "open_trade", arguments: order });
  expect(structuredContent).toMatchObject({ status: "executed" });
  await client.close();
  expect(transport.pid).toBeNull();
});

test("mcp --http trades over Streamable HTTP with its own token", async () => {
  await using broker = await startBroker();
  const env = {
    PAPER_TRADING_URL: broker.url,
    PAPER_TRADING_TOKEN: broker.token,
    PAPER_TRADING_MCP_TOKEN: "a-token-for-agents",
  };
  await using server = startPaperTrading(["mcp", "--http", "--port", "0"], { env });
  const url = new URL(await said(server, "mcp"));
  const client = new Client({ name: "agent", version: "1.0.0" });
  await expect(client.connect(new StreamableHTTPClientTransport(url))).rejects.toThrow();
  const headers = { authorization: "Bearer a-token-for-agents" };
  const agent = new Client({ name: "agent", version: "1.0.0" });
  await agent.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  const { structuredContent } = await agent.callTool({ name: "open_trade", arguments: order });
  expect(structuredContent).toMatchObject({ status: "executed" });
  await agent.close();
  server.kill("SIGTERM");
  expect(await server.exit()).toEqual({ code: 0, signal: null });
  expect(server.output).not.toContain(broker.token);
});

test("mcp says why it cannot start", async () => {
  await using broker = await startBroker();
  const run = async (env: Record<string, string>) => {
    await using program = startPaperTrading(["mcp"], { env });
    const { code } = await program.exit();
    return { code, stdout: program.stdout, stderr: program.stderr };
  };
  const none = await run({});
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("PAPER_TRADING_TOKEN")]);
  const wrong = await run({ PAPER_TRADING_URL: broker.url, PAPER_TRADING_TOKEN: "another-token" });
  expect([wrong.code, wrong.stdout]).toEqual([3, ""]);
  expect(wrong.stderr).toContain("does not accept the token");
});
