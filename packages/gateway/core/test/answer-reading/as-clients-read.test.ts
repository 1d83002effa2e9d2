import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import Anthropic from "@anthropic-ai/sdk";
import {
  chatCompletion,
  chatStream,
  jsonBytes,
  messageObject,
  messageStream,
  responseObject,
  responseStream,
} from "@proj/test-kit";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { useGatewayPair } from "../pipeline/gateway-pair.ts";
import { sharedGateway } from "../recording/shared-gateway.ts";
import { onlyStep } from "../telemetry/bound-calls.ts";

// What every client reads is an answer: the official SDKs ask with and without the gateway.

const shared = sharedGateway(
  {},
  { endpoints: ["chat_completions", "responses", "messages", "completions"] },
);
const pair = useGatewayPair();

const text = "Hello";
const json = "application/json";
const events = "text/event-stream";
const mark = Buffer.from("\u{feff}");

interface Form {
  readonly what: string;
  readonly type?: string | null;
  readonly encoding?: string;
  readonly encode?: (bytes: Buffer) => Buffer;
}

const badByte = (bytes: Buffer): Buffer => {
  const at = bytes.indexOf("Hello");
  return Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff]), bytes.subarray(at)]);
};
const encoded: readonly Form[] = [
  { what: "no coding, called none", encoding: "none" },
  { what: "no coding, called nothing", encoding: "" },
  { what: "no coding, called utf-8", encoding: "utf-8" },
  { what: "no coding, called identity", encoding: "Identity" },
  { what: "deflate", encoding: "deflate", encode: deflateSync },
  { what: "raw deflate", encoding: "deflate", encode: deflateRawSync },
  { what: "gzip twice", encoding: "gzip, gzip", encode: (bytes) => gzipSync(gzipSync(bytes)) },
  {
    what: "gzip in br",
    encoding: "gzip, br",
    encode: (bytes) => brotliCompressSync(gzipSync(bytes)),
  },
  {
    what: "gzip without its trailer",
    encoding: "gzip",
    encode: (bytes) => gzipSync(bytes).subarray(0, -8),
  },
  { what: "a byte order mark", encode: (bytes) => Buffer.concat([mark, bytes]) },
  { what: "a byte that is not UTF-8", encode: badByte },
  {
    what: "a byte order mark in gzip",
    encoding: "gzip",
    encode: (bytes) => gzipSync(Buffer.concat([mark, bytes])),
  },
];
const labelled: readonly Form[] = [
  "text/plain; charset=utf-8",
  json,
  "application/x-ndjson",
  null,
].flatMap((type) => [
  { what: `events called ${type}`, type },
  {
    what: `events called ${type}, with a byte order mark`,
    type,
    encode: (bytes) => Buffer.concat([mark, bytes]),
  },
  {
    what: `events called ${type}, after a comment`,
    type,
    encode: (bytes) => Buffer.concat([Buffer.from(": hi\n\n"), bytes]),
  },
  { what: `events called ${type}, in gzip`, type, encoding: "gzip", encode: gzipSync },
]);

const model = "policy";
const messages = [{ role: "user" as const, content: "Hello" }];
const apis = {
  chat_completions: {
    document: chatCompletion(),
    stream: chatStream(chatCompletion()),
    ask: async (openai: OpenAI) =>
      (await openai.chat.completions.create({ model, messages })).choices[0]?.message.content,
    follow: async (openai: OpenAI) =>
      (await openai.chat.completions.stream({ model, messages }).finalChatCompletion()).choices[0]
        ?.message.content,
  },
  responses: {
    document: responseObject(),
    stream: responseStream(responseObject()),
    ask: async (openai: OpenAI) =>
      (await openai.responses.create({ model, input: "Hello" })).output_text,
    follow: async (openai: OpenAI) =>
      (await openai.responses.stream({ model, input: "Hello" }).finalResponse()).output_text,
  },
  messages: {
    document: messageObject(),
    stream: messageStream(messageObject()),
    ask: async (_: OpenAI, anthropic: Anthropic) =>
      (await anthropic.messages.create({ model, messages, max_tokens: 9 })).content,
    follow: (_: OpenAI, anthropic: Anthropic) =>
      anthropic.messages.stream({ model, messages, max_tokens: 9 }).finalText(),
  },
} as const;

const cases = Object.entries(apis).flatMap(([api, { document, stream, ask, follow }]) => [
  ...encoded.map((form) => {
    return { api, streams: "plain", bytes: jsonBytes(document), type: json, call: ask, ...form };
  }),
  ...[...encoded, ...labelled].map((form) => {
    return {
      api,
      streams: "streamed",
      bytes: Buffer.concat(stream),
      type: events,
      call: follow,
      ...form,
    };
  }),
]);

let sessions = 0;

test.each(cases)("$api, $streams: $what", async ({ bytes, type, encoding, encode, call }) => {
  sessions += 1;
  const session_id = `read-${sessions}`;
  const body = encode?.(bytes) ?? bytes;
  shared.upstream.answer(session_id, (_request, reply) => {
    const headers: Record<string, string> = {};
    if (type !== null) headers["content-type"] = type;
    if (encoding !== undefined) headers["content-encoding"] = encoding;
    void reply.send(body, { headers });
  });
  const hold = (baseURL: string) => {
    const defaultHeaders = { "x-session-id": session_id };
    const options = { apiKey: "none", maxRetries: 0, baseURL, defaultHeaders };
    return call(
      new OpenAI(options),
      new Anthropic({ ...options, baseURL: baseURL.replace(/\/v1$/, "") }),
    );
  };
  const direct = await hold(shared.upstream.url);
  expect(JSON.stringify(direct)).toContain(text);
  expect(await hold(shared.gateway.sessionUrl(session_id))).toEqual(direct);
  const step = await onlyStep(shared.gateway, session_id);
  expect(step).toMatchObject({
    status_code: 200,
    meta: { outcome: "completed", truncated: false },
  });
  expect(JSON.stringify(JSON.parse(step.response ?? ""))).toContain(text);
  expect(await shared.latestSuccess(session_id)).toBe(1);
});

test.each([
  ["content-type", { "content-type": "text/plain; charset=utf-8" }],
  ["content-type", { "content-type": "application/json" }],
  ["content-encoding", { "content-type": events, "content-encoding": "none" }],
])("an unusual %s does not hold up an event: %j", async (_name, headers) => {
  const [first = "", ...rest] = chatStream(chatCompletion());
  await using call = await pair.call("chat/completions", { stream: true });
  await call.reply.start({ headers });
  await call.reply.write(first);
  await call.caller.until(first.toString());
  for (const event of rest) await call.reply.write(event);
  await call.reply.end();
  expect((await call.caller.untilClosed()).whole).toBe(true);
});

test("a caller that leaves before it is known what comes cancels the upstream's request", async () => {
  await using call = await pair.call("chat/completions", { stream: true });
  await call.reply.start({ headers: { "content-type": "text/plain" } });
  await call.reply.write("da");
  await call.caller[Symbol.asyncDispose]();
  await call.request.closed;
  expect(await onlyStep(pair.gateway, call.session_id)).toMatchObject({
    status_code: 499,
    meta: { outcome: "caller_gone" },
  });
});

test("chunks like Cloudflare's, which end without a finish reason, are an answer", async () => {
  const chunks = ["Hel", "lo"].map((content) => {
    return `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
  });
  shared.upstream.answer("cloudflare", (_request, reply) => {
    void reply.events([...chunks, "data: [DONE]\n\n"]);
  });
  const openai = new OpenAI({ apiKey: "none", baseURL: shared.gateway.sessionUrl("cloudflare") });
  let held = "";
  const stream = await openai.chat.completions.create({ model, messages, stream: true });
  for await (const { choices } of stream) held += choices[0]?.delta.content ?? "";
  expect(held).toBe("Hello");
  const step = await onlyStep(shared.gateway, "cloudflare");
  expect(step).toMatchObject({ status_code: 200, meta: { finish_reason: null } });
  expect(JSON.parse(step.response ?? "")).toMatchObject({
    choices: [{ message: { content: "Hello" }, finish_reason: null }],
  });
});
