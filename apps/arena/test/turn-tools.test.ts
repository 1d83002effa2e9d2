import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { openMarket } from "../src/services/open-market.ts";
import { Services } from "../src/services/services.ts";
import { tradersOf } from "../src/traders/trader.ts";
import { Turns } from "../src/turns/turns.ts";

const order = { symbol: "EUR/USD", is_buy: true, amount: 10 };

/** Connects with the official client. */
async function connect({ url, token }: { readonly url: string; readonly token: string }) {
  const client = new Client({ name: "trader", version: "1.0.0" });
  const headers = { authorization: `Bearer ${token}` };
  const requestInit = { headers };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

/** Calls a tool; a refusal is its error's message. */
async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { isError = false, content } = await client.callTool({ name, arguments: args });
  const [part] = content;
  const value = JSON.parse(part?.type === "text" ? part.text : "{}");
  return isError ? value.error.message : value;
}

test("a trader trades only in its turn, and only in its own account", async () => {
  const traders = tradersOf(2);
  const services = new Services();
  try {
    const market = await openMarket(services, traders, 7);
    const names = traders.map(({ name }) => name);
    const turns = new Turns({
      traders: names,
      rounds: 1,
      turnTimeoutMs: 600_000,
      onRoundOver() {},
    });
    turns.start();
    const tools = await Promise.all(traders.map((trader) => market.serveTools(trader, turns)));
    const [trend, reversion] = await Promise.all(tools.map(connect));
    if (trend === undefined || reversion === undefined) throw new Error("gone");
    for (const client of [trend, reversion]) services.add(client, (opened) => opened.close());

    const waits = "It is not your turn: call next_round.";
    for (const client of [trend, reversion])
      for (const tool of ["open_trade", "get_account"])
        expect(await call(client, tool, tool === "open_trade" ? order : {})).toBe(waits);
    expect(await call(trend, "next_round")).toMatchObject({ round: 1, is_over: false });
    expect(await call(trend, "open_trade", order)).toMatchObject({ status: "executed" });
    expect(await call(reversion, "open_trade", order)).toBe(waits);

    const next = call(reversion, "next_round");
    const last = call(trend, "next_round");
    expect(await next).toMatchObject({ round: 1, is_over: false });
    expect(await call(trend, "open_trade", order)).toBe(waits);
    expect(await call(reversion, "list_positions")).toEqual({ positions: [] });

    expect(await call(reversion, "next_round")).toMatchObject({ is_over: true });
    expect(await last).toMatchObject({ is_over: true });
    expect(await call(reversion, "open_trade", order)).toBe("The arena is over.");

    const [first, second] = tools;
    const foreign = connect({ url: first?.url ?? "", token: second?.token ?? "" });
    await expect(foreign).rejects.toThrow();
  } finally {
    await services.close();
  }
});
