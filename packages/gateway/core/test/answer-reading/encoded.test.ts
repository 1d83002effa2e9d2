import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import {
  chatCompletion,
  chatStream,
  jsonBytes,
  responseObject,
  responseStream,
  waitFor,
} from "@proj/test-kit";
import { expect, test } from "vitest";
import { atRest } from "../pipeline/at-rest.ts";
import { useGatewayPair } from "../pipeline/gateway-pair.ts";
import { expectNoWarnings } from "../pipeline/no-warnings.ts";
import { metric, onlyStep } from "../telemetry/bound-calls.ts";
import { holdWriteLock } from "../telemetry/write-lock.ts";

// An upstream that encodes its answer although we asked for no encoding: its bytes are relayed unchanged.

expectNoWarnings();
const pair = useGatewayPair();

const codings = {
  gzip: gzipSync,
  "x-gzip": gzipSync,
  GZIP: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
} as const;
const document = jsonBytes(chatCompletion());
const json = { "content-type": "application/json" };
const streams = [
  { endpoint: "chat/completions", events: chatStream(chatCompletion()) },
  { endpoint: "responses", events: responseStream(responseObject()) },
] as const;
const streamed = streams.flatMap((stream) =>
  Object.entries(codings).map(([coding, encode]) => ({ ...stream, coding, encode })),
);

test.for(Object.entries(codings))(
  "a plain answer in %s is relayed unchanged and stored decoded",
  async ([coding, encode]) => {
    const bytes = encode(document);
    await using call = await pair.call("chat/completions", { stream: false });
    expect(call.request.headers["accept-encoding"]).toBe("identity");
    await call.reply.send(bytes, { headers: { ...json, "content-encoding": coding } });
    const { headers, body } = await call.caller.untilClosed();
    expect(body).toBe(bytes.toString("latin1"));
    expect(headers).toContain(`content-encoding: ${coding.toLowerCase()}`);
    expect(headers).toContain(`content-length: ${bytes.length}`);
    expect(await onlyStep(pair.gateway, call.session_id)).toMatchObject({
      status_code: 200,
      response: document.toString(),
      meta: { prompt_tokens: 11, response_bytes: bytes.length, truncated: false },
    });
  },
);

test.for(streamed)(
  "a stream in $coding is relayed unchanged and stored decoded ($endpoint)",
  async ({ endpoint, events, coding, encode }) => {
    const bytes = encode(Buffer.concat(events));
    await using call = await pair.call(endpoint);
    await call.reply.startEvents({ headers: { "content-encoding": coding } });
    for (let at = 0; at < bytes.length; at += 50)
      await call.reply.write(bytes.subarray(at, at + 50));
    await call.reply.end();
    const { body, whole } = await call.caller.untilClosed();
    expect({ body, whole }).toEqual({ body: bytes.toString("latin1"), whole: true });
    const step = await onlyStep(pair.gateway, call.session_id);
    expect(step).toMatchObject({
      status_code: 200,
      meta: { outcome: "completed", prompt_tokens: 11, completion_tokens: 5 },
    });
    expect(step.response).toContain("Hello from upstream.");
  },
);

test("an encoded stream is relayed as it comes, except for its last bytes, which wait for the row", async () => {
  const bytes = gzipSync(Buffer.concat(streams[0].events));
  const [first, second, last] = [
    bytes.subarray(0, 30),
    bytes.subarray(30, -20),
    bytes.subarray(-20),
  ];
  await using call = await pair.call("chat/completions");
  await call.reply.startEvents({ headers: { "content-encoding": "gzip" } });
  await call.reply.write(first);
  await call.reply.write(second);
  await call.caller.until(first.toString("latin1"));
  using lock = holdWriteLock(pair.gateway.databasePath);
  await call.reply.write(last);
  await call.reply.end();
  await waitFor(
    async () => (await metric(pair.gateway, "gateway_telemetry_queue_rows")) === 1,
    "the row to wait",
  );
  const all = await call.caller.until(Buffer.concat([first, second]).toString("latin1"));
  expect(all).toMatchObject({
    body: Buffer.concat([first, second]).toString("latin1"),
    whole: false,
  });
  lock.release();
  expect((await call.caller.untilClosed()).body).toBe(bytes.toString("latin1"));
});

test("an encoded stream that breaks off is cut off, without additions that nobody could decode", async () => {
  const bytes = gzipSync(Buffer.concat(streams[0].events));
  await using call = await pair.call("chat/completions");
  await call.reply.startEvents({ headers: { "content-encoding": "gzip" } });
  await call.reply.write(bytes.subarray(0, 30));
  await call.reply.write(bytes.subarray(30, 60));
  await call.caller.until(bytes.subarray(0, 30).toString("latin1"));
  call.reply.reset();
  const { body, whole } = await call.caller.untilClosed();
  expect(whole).toBe(false);
  expect(bytes.toString("latin1").startsWith(body)).toBe(true);
  expect(await onlyStep(pair.gateway, call.session_id)).toMatchObject({
    status_code: 502,
    meta: { upstream_status_code: 200, outcome: "upstream_broken" },
  });
});

test("an encoded stream that is whole but has no terminal event has still broken off", async () => {
  const bytes = gzipSync(Buffer.concat(streams[0].events.slice(0, 3)));
  await using call = await pair.call("chat/completions");
  await call.reply.startEvents({ headers: { "content-encoding": "gzip" } });
  await call.reply.write(bytes);
  await call.reply.end();
  expect((await call.caller.untilClosed()).body).toBe(bytes.toString("latin1"));
  const step = await onlyStep(pair.gateway, call.session_id);
  expect(step).toMatchObject({ status_code: 502, meta: { outcome: "upstream_broken" } });
});

test("an encoded error is relayed unchanged and stored decoded", async () => {
  const error = jsonBytes({ error: { message: "slow down" } });
  for (const type of ["application/json", "text/event-stream"]) {
    await using call = await pair.call("chat/completions");
    const headers = { "content-type": type, "content-encoding": "gzip", "retry-after": "3" };
    await call.reply.send(gzipSync(error), { status: 429, headers });
    const { status, body } = await call.caller.untilClosed();
    expect({ status, body }).toEqual({ status: 429, body: gzipSync(error).toString("latin1") });
    const step = await onlyStep(pair.gateway, call.session_id);
    expect(step).toMatchObject({ status_code: 429, response: error.toString() });
  }
});

test.for([
  { what: "that is not what it says", coding: "gzip", bytes: document },
  { what: "in too many codings", coding: "gzip,gzip,gzip,gzip,gzip,gzip", bytes: document },
])(
  "an answer $what is relayed unchanged, and its row says that it cannot be read",
  async ({ coding, bytes }) => {
    await using call = await pair.call("chat/completions", { stream: false });
    await call.reply.send(bytes, { headers: { ...json, "content-encoding": coding } });
    const { status, body, whole } = await call.caller.untilClosed();
    expect({ status, body, whole }).toEqual({
      status: 200,
      body: bytes.toString("latin1"),
      whole: true,
    });
    await atRest(pair.gateway, call.session_id);
    expect(await onlyStep(pair.gateway, call.session_id)).toMatchObject({
      status_code: 502,
      response: null,
      meta: {
        outcome: "no_answer",
        truncated: true,
        response_bytes: bytes.length,
        prompt_tokens: null,
      },
    });
  },
);
