import { ApiError, InvalidAnswerError, RefusalError } from "@proj/trading-client";
import { expect, test } from "vitest";
import { connect } from "../server/connect.ts";
import type { Answer } from "../server/recorded-answers.ts";
import { TradingServer } from "../server/trading-server.ts";

const order = { account_id: "1027808", symbol: "EUR/USD", is_buy: true, amount: 10 };

const notDivisible = {
  code: 3,
  message: "Amount should be divisible by 10",
  parameters: ["10"],
};

async function openTrade(answer: Answer): Promise<unknown> {
  await using server = await TradingServer.start();
  server.answer("/trading/open_trade", () => answer);
  await using client = await connect(server);
  return await client.openTrade(order).catch((error: unknown) => error);
}

test.each([
  ["the envelope", { response: { executed: true }, data: { type: 0, orderId: 390285837 } }],
  [
    "the envelope with an empty error",
    '{"response":{"executed":true,"error":""},"data":{"type":0,"orderId":390285837}}',
  ],
  ["two objects in a row", '{"executed":true}{"type":0,"orderId":390285837}'],
  ["two objects on two lines", '{ "executed": true }\n{ "type": 0, "orderId": 390285837 }\n'],
  ["two objects with a comma", '{"executed":true}, {"type":0,"orderId":390285837}'],
  [
    "two objects, the first an envelope",
    '{"response":{"executed":true,"error":"}{"}}{"data":{"type":0,"orderId":390285837}}',
  ],
  ["an id as digits", { response: { executed: true }, data: { type: 0, orderId: "390285837" } }],
])("an order's immediate response is read as %s", async (_form, body) => {
  expect(await openTrade({ body })).toEqual({ orderId: "390285837" });
});

test.each([
  [
    "both forms at once",
    { response: { executed: false, error: JSON.stringify(notDivisible) }, ...notDivisible },
  ],
  [
    "JSON in the envelope's error",
    { response: { executed: false, error: JSON.stringify(notDivisible) } },
  ],
  ["an object in the envelope's error", { response: { executed: false, error: notDivisible } }],
  [
    "the error object next to an empty error",
    { response: { executed: false, error: "" }, ...notDivisible },
  ],
  ["the error object alone", notDivisible],
  ["two objects in a row", `{"executed":false}${JSON.stringify(notDivisible)}`],
])("a refusal is read as %s", async (_form, body) => {
  for (const status of [200, 400]) {
    const error = await openTrade({ status, body });
    expect(error).toBeInstanceOf(RefusalError);
    expect(error).toMatchObject({ ...notDivisible, request: "POST /trading/open_trade" });
  }
});

test("parameters may mix strings and numbers", async () => {
  const refusal = { code: 26, message: "Not enough margin", parameters: [400, "399.99"] };
  const error = await openTrade({
    body: { response: { executed: false, error: JSON.stringify(refusal) } },
  });
  expect(error).toMatchObject(refusal);
});

test("a plain-text refusal has the text and no code", async () => {
  const error = await openTrade({
    body: { response: { executed: false, error: "Market is closed" } },
  });
  expect(error).toBeInstanceOf(RefusalError);
  expect(error).toMatchObject({ code: null, message: "Market is closed", parameters: [] });
});

test("a refusal without a reason says so", async () => {
  for (const response of [{ executed: false, error: "" }, { executed: false }]) {
    const error = await openTrade({ body: { response } });
    expect(error).toBeInstanceOf(RefusalError);
    expect(error).toMatchObject({ code: null, message: expect.stringContaining("no reason") });
  }
});

test.each([403, 404])("status %i is an HTTP error: the order was not placed", async (status) => {
  const error = await openTrade({ status, body: { message: "no" } });
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status, isRetryable: false });
});

test.each([
  ["no JSON", "<html>"],
  ["half an object", '{"response":{"executed":tr'],
  ["a list", "[]"],
  ["nothing", ""],
  ["data without a result", { data: {} }],
])("%s is an InvalidAnswerError", async (_what, body) => {
  await using server = await TradingServer.start();
  server.answer("/trading/get_instruments", () => ({ body }));
  await using client = await connect(server);
  await expect(client.instruments()).rejects.toBeInstanceOf(InvalidAnswerError);
});

test("an idempotent call is retried after a server error", async () => {
  await using server = await TradingServer.start();
  const answers = [503, 502];
  server.answer("/trading/get_instruments", () => {
    const status = answers.shift();
    if (status !== undefined) return { status, body: "" };
    const instrument = [{ symbol: "EUR/USD", visible: true, order: 100 }];
    return { body: { response: { executed: true }, data: { instrument } } };
  });
  await using client = await connect(server);
  expect(await client.instruments()).toEqual([{ symbol: "EUR/USD", visible: true, order: 100 }]);
});

test("a call ends at its time-out and with its signal", async () => {
  await using server = await TradingServer.start();
  server.answer("/trading/get_instruments", () => "hang");
  await using client = await connect(server);
  const late = client.instruments({ timeoutMs: 20 });
  await expect(late).rejects.toMatchObject({ name: "TimeoutError" });
  await expect(late).rejects.toThrow("/trading/get_instruments had no answer in 20 ms");
  const reason = new Error("enough");
  await expect(client.instruments({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
