import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rawRequest, temporaryFolder, waitFor, within } from "@proj/test-kit";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import {
  accountId,
  advance,
  connectBot,
  marketOrder,
  serveBroker,
  token,
} from "./served-broker.ts";

test("requests need the id of an open connection directly before its token", async () => {
  await using broker = await serveBroker({ tokens: [token, "another-token"] });
  await using bot = await connectBot(broker.url);
  const ask = async (authorization: string | null) => {
    const headers = authorization === null ? {} : { authorization };
    return (await fetch(`${broker.url}/trading/get_instruments`, { headers })).status;
  };
  expect(await ask(`Bearer ${bot.id}${token}`)).toBe(200);
  expect(await ask(null)).toBe(401);
  expect(await ask(`Bearer ${token}`)).toBe(401);
  expect(await ask(`Bearer ${bot.id}wrong-token`)).toBe(401);
  expect(await ask(`Bearer ${bot.id}another-token`)).toBe(401);
  expect(await ask(`Basic ${bot.id}${token}`)).toBe(401);
  bot.socket.close();
  await waitFor(() => broker.connections === 0, "the connection's end");
  expect(await ask(`Bearer ${bot.id}${token}`)).toBe(401);
});

test("unknown paths are answered 404 with any method", async () => {
  await using broker = await serveBroker();
  await using bot = await connectBot(broker.url);
  for (const path of ["/trading/nothing", "/nothing", "/trading/get_model/Account/x", "/%ff"]) {
    const { status, body } = await bot.get(path);
    expect([path, status]).toEqual([path, 404]);
    expect(body.response).toMatchObject({ executed: false });
  }
  expect((await bot.get("/trading/open_trade")).status).toBe(404);
  expect((await bot.post("/trading/get_instruments")).status).toBe(404);
  expect((await bot.post("/trading/constructor")).status).toBe(404);
});

test("any path may end with a slash", async () => {
  await using broker = await serveBroker();
  await using bot = await connectBot(broker.url);
  expect((await bot.get("/trading/get_instruments/")).body.response).toMatchObject({
    executed: true,
  });
  expect((await bot.post("/trading/open_trade/", marketOrder)).body.data).toMatchObject({
    type: 0,
  });
  expect((await bot.get("/candles/1/m1/", { num: 1 })).body.candles).toHaveLength(1);
});

test("subscribe returns the prices and pushes them until unsubscribe", async () => {
  await using broker = await serveBroker();
  await using bot = await connectBot(broker.url);
  const pairs = ["EUR/USD", "USD/JPY"];
  const { body } = await bot.post("/subscribe", { pairs });
  expect(body).toEqual({
    response: { executed: true, error: "" },
    pairs: pairs.map((pair) => broker.market.price(pair)),
  });
  advance(broker, 1000);
  await waitFor(() => bot.pushes.length === 2, "two prices");
  expect(new Map(bot.pushes)).toEqual(
    new Map(pairs.map((pair) => [pair, broker.market.price(pair)])),
  );
  await bot.post("/unsubscribe", { pairs: "USD/JPY" });
  advance(broker, 3000);
  await waitFor(() => bot.pushes.length >= 5, "three more");
  expect(bot.pushes.slice(2).map(([symbol]) => symbol)).toEqual(Array(3).fill("EUR/USD"));
});

test("a list with an unknown symbol or table is refused as a whole", async () => {
  await using broker = await serveBroker();
  await using bot = await connectBot(broker.url);
  const { status, body } = await bot.post("/subscribe", { pairs: ["EUR/USD", "EUR/XXX"] });
  expect([status, body.code]).toEqual([200, 22]);
  expect((await bot.post("/subscribe")).body.code).toBe(28);
  const { body: tables } = await bot.post("/trading/subscribe", { models: ["Order", "Orders"] });
  expect(tables).toMatchObject({ code: 28, parameters: ["models", "Orders"] });
  expect((await bot.get("/trading/get_model")).body.code).toBe(28);
  advance(broker, 2000);
  await bot.post("/trading/open_trade", marketOrder);
  await bot.get("/trading/get_instruments");
  expect(bot.pushes).toEqual([]);
});

test("snapshots have the rows under the table's member and end with a totals row", async () => {
  await using broker = await serveBroker();
  await using bot = await connectBot(broker.url);
  const { body } = await bot.get("/trading/get_model", { models: ["Offer", "Account", "Summary"] });
  expect(Object.keys(body)).toEqual(["response", "offers", "accounts", "summary"]);
  expect(body.offers).toHaveLength(8);
  expect(body.accounts).toMatchObject([
    { t: 6, accountId, accountName: "01537581".padStart(10, "0"), balance: 10_000 },
    { t: 6, isTotal: true, balance: 10_000 },
  ]);
  const { body: accounts } = await bot.get("/trading/get_model/Accounts");
  expect(accounts.accounts).toEqual(body.accounts);
  const all =
    "Offer OpenPosition ClosedPosition Order Summary LeverageProfile Account Properties OCO";
  const { body: everything } = await bot.get("/trading/get_model", { models: all.split(" ") });
  expect(Object.keys(everything)).toEqual([
    ...["response", "offers", "open_positions", "closed_positions", "orders", "summary"],
    ...["leverage_profile", "accounts", "properties", "oco"],
  ]);
});

test("all instruments are listed; hidden ones leave the Offer table", async () => {
  await using broker = await serveBroker();
  await using bot = await connectBot(broker.url);
  const { body } = await bot.get("/trading/get_instruments");
  expect(body.data).toMatchObject({
    instrument: expect.arrayContaining([{ symbol: "EUR/USD", visible: true, order: 1 }]),
  });
  const hide = { symbol: "EUR/USD", visible: false };
  expect((await bot.post("/trading/update_subscriptions", hide)).body.response).toMatchObject({
    executed: true,
  });
  expect((await bot.get("/trading/get_model", { models: "Offer" })).body.offers).toHaveLength(7);
});

test("a refusal has both forms at once, with status 200", async () => {
  await using broker = await serveBroker();
  await using bot = await connectBot(broker.url);
  const order = { ...marketOrder, account_id: `0${accountId}` };
  const { status, body } = await bot.post("/trading/open_trade", order);
  expect(status).toBe(200);
  expect(body).toMatchObject({ code: 3, parameters: ["10"] });
  expect(body.message).toMatch(/^Amount must be divisible by 10/);
  const { executed, error } = Object(body.response);
  expect(executed).toBe(false);
  const { code, message, parameters } = body;
  expect(JSON.parse(error)).toEqual({ code, message, parameters });
  expect((await bot.post("/trading/open_trade", marketOrder)).body.response).toMatchObject({
    executed: true,
  });
});

test("too many requests on a connection are answered 403; other connections are unaffected", async () => {
  await using broker = await serveBroker({ connection_limits: { requests_per_second: 5 } });
  await using bot = await connectBot(broker.url);
  await using other = await connectBot(broker.url);
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => bot.get("/trading/get_instruments")),
  );
  expect(answers.filter(({ status }) => status === 403).length).toBeGreaterThan(10);
  expect((await other.get("/trading/get_instruments")).status).toBe(200);
});

test("oversized bodies and headers are refused", async () => {
  await using broker = await serveBroker({ connection_limits: { body_bytes: 100 } });
  await using bot = await connectBot(broker.url);
  const { status } = await bot.post("/subscribe", { pairs: "x".repeat(200) });
  expect(status).toBe(413);
  const raw = await rawRequest(
    Number(new URL(broker.url).port),
    `GET / HTTP/1.1\r\nhost: x\r\nx: ${"x".repeat(20_000)}\r\n\r\n`,
  );
  expect(String(await raw.readUntilClosed())).toContain("431");
});

test("close ends the connections, stops listening and notifies clients", async () => {
  const broker = await serveBroker();
  await using bot = await connectBot(broker.url);
  await broker.close();
  await within(bot.gone, "the disconnect");
  await expect(fetch(broker.url)).rejects.toThrow();
  await broker.close();
});

test("close does not wait for a client that reads nothing or for half a request", async () => {
  const broker = await serveBroker();
  const port = Number(new URL(broker.url).port);
  const half = await rawRequest(port, "POST /subscribe HTTP/1.1\r\nhost: x\r\n");
  const socket = new WebSocket(
    `ws://127.0.0.1:${port}/socket.io/?EIO=3&transport=websocket&access_token=${token}`,
  );
  await once(socket, "open");
  socket.pause();
  // Sooner than the ping time-out would end the connection.
  await within(broker.close(), "the end of the server", 20_000);
  half.reset();
  socket.terminate();
});

test("when the prices fail, the market stops, and orders are answered 500", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "prices.csv");
  const row = (second: number, bid: string) => `2026-01-12T10:00:0${second}Z,EUR/USD,${bid},1.0801`;
  const rows = [0, 1, 2, 3].map((second) => row(second, "1.08"));
  await writeFile(file, ["time,symbol,bid,ask", ...rows, row(4, "nothing"), ""].join("\n"));
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  const broker = await serveBroker({ prices: { type: "csv", file }, state_file: null }, log);
  await using bot = await connectBot(broker.url);
  expect(() => advance(broker, 5000)).toThrow("its bid is not a rate");
  await expect(within(broker.failure, "the failure")).rejects.toThrow("its bid is not a rate");
  const { status, body } = await bot.post("/trading/open_trade", marketOrder);
  expect([status, Object(body.response).executed]).toEqual([500, false]);
  expect(lines.join("\n")).toContain("the market has stopped");
  await broker.close();
});

test("the log holds no token and no connection id", async () => {
  const lines: string[] = [];
  await using broker = await serveBroker({}, (line) => lines.push(line));
  await using bot = await connectBot(broker.url);
  await bot.post("/trading/open_trade", marketOrder);
  bot.socket.close();
  await waitFor(() => lines.some((line) => line.includes("disconnected")), "the end in the log");
  expect(lines.join("\n")).not.toContain(token);
  expect(lines.join("\n")).not.toContain(bot.id);
});
