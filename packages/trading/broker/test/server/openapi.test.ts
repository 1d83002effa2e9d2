import { OpenApiCheck } from "@proj/test-kit/openapi";
import { expect, test } from "vitest";
import { commandTypes } from "../../src/wire/read-command.ts";
import { accountId, connectBot, marketOrder, serveBroker, token } from "./served-broker.ts";

const file = new URL("../../openapi.yaml", import.meta.url);

/** Fields that make a request succeed; requests not listed here are refused. */
const requests: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "GET /trading/get_model": { models: "Order" },
  "GET /candles/{offer_id}/{period_id}": { num: "3" },
  "POST /subscribe": { pairs: "EUR/USD" },
  "POST /unsubscribe": { pairs: "EUR/USD" },
  "POST /trading/subscribe": { models: "Order" },
  "POST /trading/unsubscribe": { models: "Order" },
  "POST /trading/open_trade": Object.fromEntries(
    Object.entries(marketOrder).map(([name, value]) => [name, String(value)]),
  ),
  "POST /trading/update_subscriptions": { symbol: "EUR/USD", visible: "true" },
  "POST /trading/close_all_for_symbol": { account_id: accountId, forSymbol: "false" },
  "GET /trading/transactions": { type: "order_placed" },
  "GET /trading/closed_positions": { num: "10" },
  "POST /trading/settle_request": { request_id: "7c1b" },
  "GET /control/report": { part: "summary" },
};

test("every documented path answers according to openapi.yaml", async () => {
  const api = await OpenApiCheck.read(file);
  await using broker = await serveBroker();
  await using bot = await connectBot(broker.url);
  const isEnd = (operation: string) => operation.endsWith(" /logout");
  for (const operation of api.operations.filter((each) => !isEnd(each))) {
    const [method = "", template = ""] = operation.split(" ");
    const path = template
      .replace("{model}", "Accounts")
      .replace("{offer_id}", "1")
      .replace("{period_id}", "m1");
    const fields = new URLSearchParams(requests[operation]);
    const isControl = path.startsWith("/control");
    const authorization = `Bearer ${isControl ? "" : bot.id}${token}`;
    const answer = await fetch(
      `${broker.url}${path}${method === "GET" ? `?${fields}` : ""}`,
      method === "GET"
        ? { headers: { authorization } }
        : { method, body: fields, headers: { authorization } },
    );
    expect([operation, answer.status]).toEqual([operation, 200]);
    const body = JSON.parse(await api.check(operation, answer));
    if (operation in requests && !isControl)
      expect([operation, body.response.executed]).toEqual([operation, true]);
  }
  for (const operation of api.operations.filter(isEnd)) {
    await using other = await connectBot(broker.url);
    const headers = { authorization: `Bearer ${other.id}${token}` };
    const [method = ""] = operation.split(" ");
    await api.check(operation, await fetch(`${broker.url}/logout`, { method, headers }));
    await other.gone;
  }
  await api.check(
    "GET /trading/get_instruments",
    await fetch(`${broker.url}/trading/get_instruments`),
  );
  expect(api.unasked).toEqual([]);
});

test("every command is in openapi.yaml", async () => {
  const { document } = await OpenApiCheck.read(file);
  const missing = commandTypes.filter((type) => !(`/trading/${type}` in document.paths));
  expect(missing).toEqual([]);
});
