import { chatCompletion } from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { chatPath, onlyStep, responsesPath } from "../telemetry/bound-calls.ts";
import { startUpstreamBySession, type UpstreamBySession } from "./upstream-by-session.ts";

// Columns have the request's very bytes: nothing is serialised again.

let upstream: UpstreamBySession;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await startUpstreamBySession();
  gateway = await startGateway({
    llm_routes: {
      policy: { base_url: upstream.url },
      renamed: {
        base_url: upstream.url,
        upstream_model: "vendor/policy",
        extra_body: { return_token_ids: true },
      },
    },
  });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

/** Everything that a serialiser would change. */
const messages = String.raw`[ {"role":"user","content":"\u00e9\/\u000a é","n":12345678901234567890, "b":1, "a":2,
   "f":1.0, "e":1E400, "z":-0, "d":"\ud83d\ude00 \ud83d", "":{ }}, {"content":null,"role":"user"} ]`;
const rest = String.raw`"seed":9007199254740993,"1":1,"0":0,"t":1.10,"esc\u0061ped":"\u0061"`;
const answerText = String.raw`{ "id":"x","choices":[{"index":0,"finish_reason":"stop","message":{"content":"\u00e9\/ é","n":12345678901234567890}}],
 "b":1.0, "a":1E400 }`;

test.for([
  { endpoint: "chat", path: chatPath, name: "messages" },
  { endpoint: "responses", path: responsesPath, name: "input" },
])(
  "$endpoint: '$name' is stored byte for byte, the rest with null in its place, the answer as it came",
  async ({ endpoint, path, name }) => {
    const session_id = `exact-${endpoint}`;
    const body = `{ "model" : "policy",\n "${name}" : ${messages} , ${rest} }`;
    upstream.answer(session_id, (_request, reply) => void reply.send(answerText));
    const answer = await gateway.post(path(session_id), body);
    expect(await answer.text()).toBe(answerText);
    expect(upstream.requests(session_id)[0]?.body.toString()).toBe(body);
    const step = await onlyStep(gateway, session_id);
    expect(step.messages).toBe(messages);
    expect(step.request).toBe(body.replace(messages, "null"));
    expect(step.response).toBe(answerText);
  },
);

test("a growing history begins with the shorter one in its row", async () => {
  upstream.answer("grows", (_request, reply) => void reply.json(chatCompletion()));
  const turns = [
    String.raw`{"role":"user","content":"caf\u00e9"}`,
    '{ "role":"user","content":"é"}',
  ];
  for (const count of [1, 2])
    await (
      await gateway.post(
        chatPath("grows"),
        `{"model":"policy","messages":[${turns.slice(0, count).join(",")}]}`,
      )
    ).text();
  const [first, second] = gateway.steps("grows").map((step) => step.messages ?? "");
  expect(second?.startsWith(first?.slice(0, -1) ?? "?")).toBe(true);
});

test("a plain text input is stored as a string", async () => {
  upstream.answer("text", (_request, reply) => void reply.json({ status: "completed" }));
  await (
    await gateway.post(responsesPath("text"), '{"model":"policy","input":"Hi \\u00e9"}')
  ).text();
  const step = await onlyStep(gateway, "text");
  expect(step.messages).toBe('"Hi \\u00e9"');
  expect(step.request).toBe('{"model":"policy","input":null}');
});

test("a request without messages has none in its row, and everything in 'request'", async () => {
  upstream.answer("without", (_request, reply) => void reply.json({ error: { message: "no" } }));
  const body = '{"model":"policy","prompt":[1,2,3]}';
  await (await gateway.post(chatPath("without"), body)).text();
  expect(await onlyStep(gateway, "without")).toMatchObject({ messages: null, request: body });
});

test("a row keeps what the caller sent, not what the route made of it", async () => {
  upstream.answer("renamed", (_request, reply) => void reply.json(chatCompletion()));
  const body = '{"model":"renamed","messages":[]}';
  await (await gateway.post(chatPath("renamed"), body)).text();
  expect(upstream.requests("renamed")[0]?.json()).toEqual({
    model: "vendor/policy",
    messages: [],
    return_token_ids: true,
  });
  expect(await onlyStep(gateway, "renamed")).toMatchObject({
    model: "renamed",
    messages: "[]",
    request: '{"model":"renamed","messages":null}',
  });
});
