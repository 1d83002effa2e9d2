import {
  chatCompletion,
  chatStream,
  responseObject,
  responseStream,
  waitFor,
} from "@proj/test-kit";
import { expect, test } from "vitest";
import { onlyStep } from "../telemetry/bound-calls.ts";
import { atRest } from "./at-rest.ts";
import { useGatewayPair } from "./gateway-pair.ts";
import { expectNoWarnings } from "./no-warnings.ts";

// Streams are relayed chunk by chunk, as they come and unchanged.

expectNoWarnings();
const pair = useGatewayPair();

const content = "Grüße, 世界 🙂";
const streams = [
  { endpoint: "chat/completions", events: chatStream(chatCompletion({ content })) },
  { endpoint: "responses", events: responseStream(responseObject({ text: content })) },
] as const;
const bound = streams.flatMap((stream) => [true, false].map((isBound) => ({ ...stream, isBound })));

const open = (endpoint: (typeof streams)[number]["endpoint"], isBound: boolean) =>
  isBound ? pair.call(endpoint) : pair.callUnbound(endpoint);
/** Compared with a raw caller's body, which is read byte by byte. */
const latin1 = (bytes: Buffer): string => bytes.toString("latin1");

test.for(bound)(
  "each stream event reaches the caller before the next one is sent ($endpoint, bound: $isBound)",
  async ({ endpoint, events, isBound }) => {
    await using call = await open(endpoint, isBound);
    await call.reply.startEvents();
    for (const [index, event] of events.entries()) {
      await call.reply.write(event);
      const soFar = latin1(Buffer.concat(events.slice(0, index + 1)));
      expect((await call.caller.until(soFar)).body).toBe(soFar);
    }
    await call.reply.end();
    const { body, whole } = await call.caller.untilClosed();
    expect({ body, whole }).toEqual({ body: latin1(Buffer.concat(events)), whole: true });
  },
);

test.for(bound)(
  "a stream's headers are sent before its first event ($endpoint, bound: $isBound)",
  async ({ endpoint, events, isBound }) => {
    await using call = await open(endpoint, isBound);
    await call.reply.startEvents({
      headers: { "x-request-id": "upstream-1", "x-model-weights": "7" },
    });
    await waitFor(() => call.caller.received.status === 200, "the headers");
    const { headers, body } = call.caller.received;
    expect(body).toBe("");
    for (const header of [
      "content-type: text/event-stream; charset=utf-8",
      "x-request-id: upstream-1",
      "x-model-weights: 7",
      "transfer-encoding: chunked",
      "server-timing: gateway;dur=",
    ])
      expect(headers).toContain(header);
    expect(headers.includes("x-gateway-step-id: 1")).toBe(isBound);
    await call.reply.write(Buffer.concat(events));
    await call.reply.end();
    expect((await call.caller.untilClosed()).whole).toBe(true);
  },
);

test("part of a chat event is passed on before the rest has come", async () => {
  const [role = Buffer.alloc(0), ...rest] = streams[0].events;
  await using call = await pair.call("chat/completions");
  await call.reply.startEvents();
  await call.reply.write(role.subarray(0, 25));
  await call.caller.until(latin1(role.subarray(0, 25)));
  await call.reply.write(role.subarray(25));
  await call.caller.until(latin1(role));
  for (const event of rest) await call.reply.write(event);
  await call.reply.end();
  expect((await call.caller.untilClosed()).body).toBe(latin1(Buffer.concat(streams[0].events)));
});

const dressings: Record<string, (events: readonly Buffer[]) => Buffer> = {
  "with CRLF": (events) => Buffer.from(Buffer.concat(events).toString().replaceAll("\n", "\r\n")),
  "with CR": (events) => Buffer.from(Buffer.concat(events).toString().replaceAll("\n", "\r")),
  "with a byte order mark": (events) => Buffer.concat([Buffer.from("\ufeff"), ...events]),
  "with comments, ids and retries": (events) =>
    Buffer.concat(
      events.flatMap((event) => [
        Buffer.from(": still there\n\nid: 7\nretry: 10\nfoo: bar\n"),
        event,
      ]),
    ),
  "with its data in several lines": (events) =>
    Buffer.from(Buffer.concat(events).toString().replaceAll('data: {"', 'data: {\ndata:"')),
};

for (const [dressing, dress] of Object.entries(dressings))
  test.for(streams)(
    `a stream ${dressing}, cut at any byte, is relayed unchanged and understood ($endpoint)`,
    async ({ endpoint, events }) => {
      const bytes = dress(events);
      await using call = await pair.call(endpoint);
      await call.reply.startEvents();
      // Pieces of 1 to 13 bytes, so that every byte ends a piece in some stream.
      for (let at = 0, size = 1; at < bytes.length; at += size, size = (size % 13) + 1)
        await call.reply.write(bytes.subarray(at, at + size));
      await call.reply.end();
      const { body, whole } = await call.caller.untilClosed();
      expect({ body, whole }).toEqual({ body: latin1(bytes), whole: true });
      const step = await onlyStep(pair.gateway, call.session_id);
      expect(step).toMatchObject({ status_code: 200, meta: { response_bytes: bytes.length } });
      expect(step.response).toContain(content);
    },
  );

test("an event of several megabytes is relayed unchanged", async () => {
  const large = "x".repeat(3_000_000);
  const events = chatStream(chatCompletion({ content: large }), { pieceLength: large.length });
  await using call = await pair.call("chat/completions");
  await call.reply.events(events);
  const { body, whole } = await call.caller.untilClosed();
  expect(whole && body === latin1(Buffer.concat(events))).toBe(true);
  expect((await onlyStep(pair.gateway, call.session_id)).response).toContain(large);
});

test("a caller that sends a second request on its connection gets both streams", async () => {
  const session_id = pair.newSession();
  const url = `${pair.gateway.sessionUrl(session_id)}/chat/completions`;
  const body = JSON.stringify({ model: "policy", stream: true, messages: [] });
  const expected = Buffer.concat(streams[0].events).toString();
  for (const step_id of ["1", "2"]) {
    const answer = fetch(url, { method: "POST", body });
    const { reply } = await pair.upstream.nextRequest();
    await reply.events(streams[0].events);
    expect((await answer).headers.get("x-gateway-step-id")).toBe(step_id);
    expect(await (await answer).text()).toBe(expected);
  }
  await atRest(pair.gateway, session_id);
});
