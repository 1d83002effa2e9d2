import { once } from "node:events";
import { request } from "node:http";
import { PassThrough } from "node:stream";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { connectTrading } from "@proj/trading-client";
import { expect, test } from "vitest";
import { createTradingMcp, serveMcpHttp, serveMcpStdio } from "../src/index.ts";
import { Agent, serveBroker, serveTrading, token } from "./traded.ts";

/** The status of a request with headers that fetch does not allow. */
async function statusWith(url: string, headers: Record<string, string>): Promise<number> {
  const asked = request(url, { method: "POST", headers });
  asked.end("{}");
  const [response] = await once(asked, "response");
  response.resume();
  return response.statusCode;
}

test("a foreign host name that points to loopback is refused, and so are other paths", async () => {
  await using trading = await serveTrading();
  const { url } = trading.server;
  expect(await statusWith(url, { host: "evil.example.com" })).toBe(403);
  expect(await statusWith(url, { origin: "https://evil.example.com" })).toBe(403);
  expect(await statusWith(url.replace("/mcp", "/other"), {})).toBe(404);
});

test("with a token, only callers that send it are served", async () => {
  await using broker = await serveBroker();
  await using client = await connectTrading({ url: broker.url, token });
  const secret = "a-token-for-agents";
  await using server = await serveMcpHttp(createTradingMcp(client), { token: secret });
  expect(await statusWith(server.url, {})).toBe(401);
  expect(await statusWith(server.url, { authorization: "Bearer another" })).toBe(401);
  await using agent = new Agent();
  const headers = { authorization: `Bearer ${secret}` };
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers },
  });
  await agent.client.connect(transport);
  expect((await agent.call("get_account")).value).toMatchObject({ balance: 50_000 });
});

test("an address that other machines can reach needs a token", async () => {
  await using broker = await serveBroker();
  await using client = await connectTrading({ url: broker.url, token });
  const serving = serveMcpHttp(createTradingMcp(client), { host: "0.0.0.0" });
  await expect(serving).rejects.toThrow("give a token");
});

test("clients of the newest and earlier protocol revisions are served", async () => {
  await using trading = await serveTrading();
  for (const versionNegotiation of [{ mode: "auto" }, { mode: "legacy" }] as const) {
    const client = new Client({ name: "agent", version: "1.0.0" }, { versionNegotiation });
    await client.connect(new StreamableHTTPClientTransport(new URL(trading.server.url)));
    const { structuredContent } = await client.callTool({ name: "get_account", arguments: {} });
    expect(structuredContent).toMatchObject({ balance: 50_000 });
    await client.close();
  }
});

test("over stdio it serves until the input ends", async () => {
  await using broker = await serveBroker();
  await using client = await connectTrading({ url: broker.url, token });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const serving = serveMcpStdio(createTradingMcp(client), { input, output });
  const said = output.setEncoding("utf8")[Symbol.asyncIterator]();
  const clientInfo = { name: "agent", version: "1.0.0" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  const { value } = await said.next();
  expect(JSON.parse(value).result.serverInfo.name).toBe("trading");
  input.end();
  await serving;
});
