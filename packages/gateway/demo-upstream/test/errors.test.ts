import { APIError, AuthenticationError, BadRequestError, NotFoundError } from "openai";
import { expect, test } from "vitest";
import { startDemoUpstream } from "../src/index.ts";
import { start } from "./start.ts";

const hello = [{ role: "user" as const, content: "hello" }];

const refused: readonly [name: string, path: string, body: object, param: string][] = [
  ["no model", "chat/completions", { messages: hello }, "model"],
  ["model of the wrong type", "chat/completions", { model: 7, messages: hello }, "model"],
  ["no messages", "chat/completions", { model: "a" }, "messages"],
  ["messages that are not a list", "chat/completions", { model: "a", messages: "hi" }, "messages"],
  [
    "an unknown role",
    "chat/completions",
    { model: "a", messages: [{ role: "cat" }] },
    "messages[0].role",
  ],
  ["n of zero", "chat/completions", { model: "a", messages: hello, n: 0 }, "n"],
  [
    "half a token",
    "chat/completions",
    { model: "a", messages: hello, max_tokens: 0.5 },
    "max_tokens",
  ],
  ["five stops", "chat/completions", { model: "a", messages: hello, stop: [..."abcde"] }, "stop"],
  [
    "stream as a string",
    "chat/completions",
    { model: "a", messages: hello, stream: "yes" },
    "stream",
  ],
  [
    "top_logprobs alone",
    "chat/completions",
    { model: "a", messages: hello, top_logprobs: 2 },
    "top_logprobs",
  ],
  ["no input", "responses", { model: "a" }, "input"],
  [
    "an input item of an unknown role",
    "responses",
    { model: "a", input: [{ role: "cat" }] },
    "input[0].role",
  ],
  [
    "a response that is not stored",
    "responses",
    { model: "a", input: "x", previous_response_id: "resp_1" },
    "previous_response_id",
  ],
];

test.each(refused)("refuses %s", async (_name, path, body, param) => {
  const { client } = await start();
  const error = await client.post(`/${path}`, { body }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(BadRequestError);
  expect(error).toMatchObject({ status: 400, type: "invalid_request_error", param });
});

test("refuses a body that is not a JSON object", async () => {
  const { url } = await start();
  for (const body of ["{", "[]", "null", ""]) {
    const response = await fetch(`${url}/chat/completions`, { method: "POST", body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { type: "invalid_request_error" } });
  }
});

test("accepts only its models, if they are configured", async () => {
  const { client } = await start({ models: ["small"] });
  const error = await client.chat.completions
    .create({ model: "big", messages: hello })
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NotFoundError);
  expect(error).toMatchObject({ code: "model_not_found", param: "model" });
});

test("requires its key, if it has one", async () => {
  const wrong = await start({ apiKey: "right" });
  await expect(wrong.client.models.list()).rejects.toBeInstanceOf(AuthenticationError);
  const right = await start({ apiKey: "any" });
  await expect(right.client.models.list()).resolves.toBeDefined();
});

test("refuses unknown paths and methods", async () => {
  const { client, url } = await start();
  const error = await client.get("/fine_tuning/jobs").catch((thrown: unknown) => thrown);
  if (!(error instanceof APIError)) throw error;
  expect(error.status).toBe(404);
  expect(error.requestID).toMatch(/^req_demo_/);
  expect((await fetch(`${url}/responses`)).status).toBe(405);
});

test("reports every request, and can be closed twice", async () => {
  const seen: string[] = [];
  const upstream = await startDemoUpstream({
    onRequest: ({ method, path, body }) => seen.push(`${method} ${path} ${body}`),
  });
  await fetch(`${upstream.url}/responses?a=b`, { method: "POST", body: "{}" });
  expect(seen).toEqual(["POST /v1/responses {}"]);
  await Promise.all([upstream.close(), upstream.close()]);
  await expect(fetch(upstream.url)).rejects.toThrow();
});
