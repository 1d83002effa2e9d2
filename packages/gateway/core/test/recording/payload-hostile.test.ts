import { chatCompletion, chatStream, responseObject, responseStream } from "@proj/test-kit";
import { afterAll, expect, test } from "vitest";
import {
  chatPath,
  chatRequest,
  onlyStep,
  responsesPath,
  responsesRequest,
} from "../telemetry/bound-calls.ts";
import { sharedGateway } from "./shared-gateway.ts";

// Content that breaks parsers and databases affects neither its own row nor other rows.

const shared = sharedGateway();

afterAll(async () => {
  // Whatever happened before, the gateway still serves and records.
  shared.upstream.answer("after-all", (_request, reply) => void reply.json(chatCompletion()));
  const answer = await shared.gateway.post(chatPath("after-all"), chatRequest());
  expect(answer.status).toBe(200);
  expect(shared.gateway.steps("after-all")).toHaveLength(1);
});

const depth = 100_000;
const nested = "[".repeat(depth) + "]".repeat(depth);
const nestedObjects = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

/** Steps of `session_id`, with those of another session that arrive at the same time. */
async function amongOthers(session_id: string, hostile: () => Promise<unknown>): Promise<void> {
  const others = [1, 2, 3].map((number) => `beside-${session_id}-${number}`);
  const calls = others.map(async (other) => {
    shared.upstream.answer(other, (_request, reply) => void reply.json(chatCompletion()));
    expect((await shared.gateway.post(chatPath(other), chatRequest())).status).toBe(200);
  });
  await Promise.all([hostile(), ...calls]);
  for (const other of others)
    expect(shared.gateway.steps(other)).toMatchObject([{ status_code: 200 }]);
}

test("a request and an answer nested 100,000 deep are forwarded, answered and stored unchanged", async () => {
  const body = `{"model":"policy","messages":${nested},"metadata":${nestedObjects}}`;
  const answered = `{"choices":[{"index":0,"finish_reason":"stop"}],"x":${nestedObjects},"password":"p"}`;
  shared.upstream.answer("deep", (_request, reply) => void reply.send(answered));
  await amongOthers("deep", async () => {
    const answer = await shared.gateway.post(chatPath("deep"), body);
    expect(await answer.text()).toBe(answered);
  });
  const step = await onlyStep(shared.gateway, "deep");
  expect(step.status_code).toBe(200);
  expect(step.messages).toBe(nested);
  expect(step.request).toBe(`{"model":"policy","messages":null,"metadata":${nestedObjects}}`);
  expect(step.response).toBe(answered.replace('"password":"p"', '"password":"[REDACTED]"'));
  expect(step.meta).toMatchObject({ outcome: "completed", finish_reason: "stop" });
});

test("streams of events nested 100,000 deep are relayed unchanged, and their steps are complete", async () => {
  const deep = `data: {"choices":[{"index":0,"delta":{"content":"Hi","x":${nested}}}],"y":${nestedObjects}}\n\n`;
  const chatEvents = [deep, ...chatStream(chatCompletion({ content: "!" })).map(String)];
  const delta = `event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":${nested}}\n\n`;
  const responseEvents = [delta, ...responseStream(responseObject()).map(String)];
  shared.upstream.answer("deep-chat", (_request, reply) => void reply.events(chatEvents));
  shared.upstream.answer("deep-responses", (_request, reply) => void reply.events(responseEvents));
  await amongOthers("deep-streams", async () => {
    const chat = await shared.gateway.post(chatPath("deep-chat"), chatRequest({ stream: true }));
    expect(await chat.text()).toBe(chatEvents.join(""));
    const body = responsesRequest({ stream: true });
    const response = await shared.gateway.post(responsesPath("deep-responses"), body);
    expect(await response.text()).toBe(responseEvents.join(""));
  });
  const chat = await onlyStep(shared.gateway, "deep-chat");
  expect(chat.meta).toMatchObject({ outcome: "completed", prompt_tokens: 11 });
  expect(JSON.parse(chat.response ?? "")).toMatchObject({
    choices: [{ message: { content: "Hi!" } }],
  });
  const responses = await onlyStep(shared.gateway, "deep-responses");
  expect(JSON.parse(responses.response ?? "")).toEqual(responseObject());
});

test("lone surrogates and NULs written as escapes are stored as those escapes", async () => {
  const messages = String.raw`[{"role":"user","content":"\ud800 \u0000 \udfff\ud83d"}]`;
  const answered = String.raw`{"choices":[{"index":0,"finish_reason":"stop","message":{"content":"\u0000\udead"}}]}`;
  shared.upstream.answer("escapes", (_request, reply) => void reply.send(answered));
  await amongOthers("escapes", async () => {
    const answer = await shared.gateway.post(
      chatPath("escapes"),
      `{"model":"policy","messages":${messages},"user":"\\u0000"}`,
    );
    expect(await answer.text()).toBe(answered);
  });
  expect(await onlyStep(shared.gateway, "escapes")).toMatchObject({
    status_code: 200,
    messages,
    request: '{"model":"policy","messages":null,"user":"\\u0000"}',
    response: answered,
  });
});

test("a stream with lone surrogates and NULs is stored as valid JSON", async () => {
  const events = [
    String.raw`data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"a\u0000\ud83d"}}]}` +
      "\n\n",
    String.raw`data: {"choices":[{"index":0,"delta":{"content":"\ude00\udead"},"finish_reason":"stop"}]}` +
      "\n\n",
    "data: [DONE]\n\n",
  ];
  shared.upstream.answer("stream-escapes", (_request, reply) => void reply.events(events));
  await (
    await shared.gateway.post(chatPath("stream-escapes"), chatRequest({ stream: true }))
  ).text();
  const step = await onlyStep(shared.gateway, "stream-escapes");
  expect(step.status_code).toBe(200);
  expect(JSON.parse(step.response ?? "").choices[0].message.content).toBe("a\u0000😀\udead");
});

const invalid = Buffer.from('{"choices":[],"text":"caf\xe9 \xff\xfe"}', "latin1");

test.for([
  { what: "an answer of invalid UTF-8", bytes: invalid },
  { what: "an answer that is cut off JSON", bytes: Buffer.from('{"a":"\\u00') },
  {
    what: "an answer of random bytes",
    bytes: Buffer.from(Array.from({ length: 512 }, (_, i) => (i * 167) % 256)),
  },
  { what: "an empty answer", bytes: Buffer.alloc(0) },
])("$what is relayed byte for byte, and its row is valid", async ({ what, bytes }) => {
  const session_id = what.replaceAll(" ", "-");
  shared.upstream.answer(session_id, (_request, reply) => void reply.send(bytes));
  await amongOthers(session_id, async () => {
    const answer = await shared.gateway.post(chatPath(session_id), chatRequest());
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  });
  const step = await onlyStep(shared.gateway, session_id);
  expect(step).toMatchObject({ status_code: 502, meta: { outcome: "no_answer" } });
  if (bytes.length === 0) expect(step.response).toBeNull();
  else JSON.parse(step.response ?? "");
});

test("an answer with raw NULs is relayed byte for byte, and stored as it came", async () => {
  const answered = '{"choices":[{"text":"\u0000\u0001"}]}';
  shared.upstream.answer("nul", (_request, reply) => void reply.send(answered));
  await amongOthers("nul", async () => {
    expect(await (await shared.gateway.post(chatPath("nul"), chatRequest())).text()).toBe(answered);
  });
  expect(await onlyStep(shared.gateway, "nul")).toMatchObject({
    status_code: 200,
    response: answered,
  });
});

test("a request of invalid UTF-8 is left to the upstream to judge, and its row is stored", async () => {
  const body = Buffer.from('{"model":"policy","messages":[{"content":"caf\xe9 \xff"}]}', "latin1");
  shared.upstream.answer(
    "invalid",
    (_request, reply) => void reply.json({ error: {} }, { status: 400 }),
  );
  await amongOthers("invalid", async () => {
    const url = shared.gateway.url + chatPath("invalid");
    const answer = await fetch(url, { method: "POST", body });
    expect(answer.status).toBe(400);
  });
  expect(shared.upstream.requests("invalid")[0]?.body.equals(body)).toBe(true);
  const step = await onlyStep(shared.gateway, "invalid");
  expect(step.status_code).toBe(400);
  expect(step.messages).toContain("caf");
});
