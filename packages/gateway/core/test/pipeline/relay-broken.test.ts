import { Readable } from "node:stream";
import {
  chatCompletion,
  chatStream,
  type RawAnswer,
  readAllServerSentEvents,
  responseObject,
  responseStream,
} from "@proj/test-kit";
import { expect, test } from "vitest";
import { onlyStep } from "../telemetry/bound-calls.ts";
import { atRest } from "./at-rest.ts";
import { type EndpointPath, type OpenCall, useGatewayPair } from "./gateway-pair.ts";
import { expectNoWarnings } from "./no-warnings.ts";

// A stream that breaks off never looks like a finished one.

expectNoWarnings();
const pair = useGatewayPair({ route: { max_concurrency: 1 } });

const chatEvents = chatStream(chatCompletion({ content: "Hello there" }));
const responseEvents = responseStream(responseObject({ text: "Hello there" }));
const streams = [
  // After `begun` events, only "Hello" of the text has come.
  { endpoint: "chat/completions", events: chatEvents, begun: 2 },
  { endpoint: "responses", events: responseEvents, begun: 5 },
] as const;
const ways = ["reset", "close"] as const;
const cases = streams.flatMap((stream) => ways.map((by) => ({ ...stream, by })));
const bound = cases.flatMap((each) => [true, false].map((isBound) => ({ ...each, isBound })));

const open = (endpoint: EndpointPath, isBound: boolean): Promise<OpenCall> =>
  isBound ? pair.call(endpoint) : pair.callUnbound(endpoint);

/** The last event that a caller got, as any event stream reader sees it. */
async function lastEvent({ body }: RawAnswer) {
  const all = await readAllServerSentEvents(Readable.from([Buffer.from(body, "latin1")]));
  return { before: all.slice(0, -1), last: all.at(-1) };
}

/** The event that tells the caller that its answer is incomplete. */
function expectErrorEvent(
  endpoint: EndpointPath,
  event: Awaited<ReturnType<typeof lastEvent>>["last"],
  sequence_number: number,
): void {
  expect(event?.complete).toBe(true);
  const data = JSON.parse(event?.data ?? "");
  const message = expect.stringContaining("model 'policy'");
  const code = "upstream_invalid_response";
  if (endpoint === "chat/completions") {
    expect(event?.event).toBeNull();
    expect(data).toEqual({ error: { message, type: "upstream_error", param: null, code } });
  } else {
    expect(event?.event).toBe("error");
    expect(data).toEqual({ type: "error", code, message, param: null, sequence_number });
  }
}

test.for(bound)(
  "an upstream that dies between two events: an error event, and a body that ends ($endpoint, $by, bound: $isBound)",
  async ({ endpoint, events, begun, by, isBound }) => {
    await using call = await open(endpoint, isBound);
    const sent = Buffer.concat(events.slice(0, begun));
    await call.reply.startEvents();
    await call.reply.write(sent);
    await call.caller.until(sent.toString());
    call.reply[by]();
    const received = await call.caller.untilClosed();
    expect(received).toMatchObject({ status: 200, whole: true });
    expect(received.body.startsWith(sent.toString())).toBe(true);
    expect(received.body).not.toContain("[DONE]");
    const { before, last } = await lastEvent(received);
    expect(before.length).toBe(begun);
    expectErrorEvent(endpoint, last, begun);

    if (!isBound) return atRest(pair.gateway);
    await atRest(pair.gateway, call.session_id);
    const step = await onlyStep(pair.gateway, call.session_id);
    expect(step).toMatchObject({
      status_code: 502,
      meta: {
        status_code: 502,
        upstream_status_code: 200,
        outcome: "upstream_broken",
        error: expect.stringContaining("broke off in the middle of its answer"),
        response_bytes: sent.length,
        truncated: false,
      },
    });
    expect(step.response).toContain("Hello");
    expect(step.response).not.toContain("there");
  },
);

test.for(cases)(
  "an upstream that dies within an event: the half event is ended by a blank line first ($endpoint, $by)",
  async ({ endpoint, events, by }) => {
    await using call = await pair.call(endpoint);
    const [whole, half] = [Buffer.concat(events.slice(0, 3)), events[3] ?? Buffer.alloc(0)];
    await call.reply.startEvents();
    await call.reply.write(Buffer.concat([whole, half.subarray(0, half.length - 10)]));
    await call.caller.until(whole.toString());
    call.reply[by]();
    const received = await call.caller.untilClosed();
    expect(received.whole).toBe(true);
    const { before, last } = await lastEvent(received);
    expectErrorEvent(endpoint, last, 3);
    expect(before.every((event) => event.complete)).toBe(true);
    expect(await onlyStep(pair.gateway, call.session_id)).toMatchObject({ status_code: 502 });
  },
);

test.for(cases)(
  "an upstream that dies after its headers: only the error event comes ($endpoint, $by)",
  async ({ endpoint, by }) => {
    await using call = await pair.call(endpoint);
    await call.reply.startEvents();
    call.reply[by]();
    const received = await call.caller.untilClosed();
    expect(received).toMatchObject({ status: 200, whole: true });
    const { before, last } = await lastEvent(received);
    expect(before).toEqual([]);
    expectErrorEvent(endpoint, last, 0);
    expect(await onlyStep(pair.gateway, call.session_id)).toMatchObject({
      status_code: 502,
      response: null,
      meta: { upstream_status_code: 200, response_bytes: 0 },
    });
  },
);

test.for(streams)(
  "a reader that lags far behind gets everything that came, and the error event ($endpoint)",
  async ({ endpoint, events, begun }) => {
    const { gateway, upstream } = pair;
    const sent = Buffer.concat(events.slice(0, begun));
    upstream.script(async (_request, reply) => {
      await reply.startEvents();
      await reply.write(sent);
      reply.reset();
    });
    const said = endpoint === "responses" ? { input: "Hello" } : { messages: [] };
    const body = { model: "policy", stream: true, ...said };
    const answer = await gateway.post(`/v1/sessions/behind-${begun}/${endpoint}`, body);
    await upstream.nextRequest();
    const broken = await onlyStep(gateway, `behind-${begun}`);
    expect(broken.status_code).toBe(502);
    await atRest(gateway, `behind-${begun}`);
    const all = await readAllServerSentEvents(answer.body);
    expect(all.length).toBe(begun + 1);
    expectErrorEvent(endpoint, all.at(-1), begun);
  },
);

test.for(streams)(
  "an upstream whose chunks stop being HTTP has broken off ($endpoint)",
  async ({ endpoint, events }) => {
    await using call = await pair.call(endpoint);
    await call.reply.startEvents();
    await call.reply.write(events[0] ?? "");
    await call.reply.raw("this is not a chunk\r\n");
    const received = await call.caller.untilClosed();
    expect(received.whole).toBe(true);
    expectErrorEvent(endpoint, (await lastEvent(received)).last, 1);
    expect(await onlyStep(pair.gateway, call.session_id)).toMatchObject({ status_code: 502 });
  },
);

test("an upstream that dies just before the terminal event has broken off", async () => {
  await using call = await pair.call("chat/completions");
  await call.reply.startEvents();
  await call.reply.write(Buffer.concat(chatEvents.slice(0, -1)));
  await call.caller.until('"finish_reason":"stop"');
  call.reply.reset();
  const received = await call.caller.untilClosed();
  expect(received.whole).toBe(true);
  expectErrorEvent("chat/completions", (await lastEvent(received)).last, 0);
  expect(await onlyStep(pair.gateway, call.session_id)).toMatchObject({ status_code: 502 });
});

test.for(cases)(
  "an upstream that dies after the terminal event loses nothing ($endpoint, $by)",
  async ({ endpoint, events, by }) => {
    await using call = await pair.call(endpoint);
    await call.reply.startEvents();
    await call.reply.write(Buffer.concat(events));
    call.reply[by]();
    const { body, whole } = await call.caller.untilClosed();
    expect({ body, whole }).toEqual({ body: Buffer.concat(events).toString(), whole: true });
    const step = await onlyStep(pair.gateway, call.session_id);
    expect(step).toMatchObject({ status_code: 200, meta: { outcome: "completed", error: null } });
    await atRest(pair.gateway, call.session_id);
  },
);

test("an upstream that dies within the line end of [DONE] loses nothing", async () => {
  const bytes = Buffer.concat(chatEvents).subarray(0, -1);
  await using call = await pair.call("chat/completions");
  await call.reply.startEvents();
  await call.reply.write(bytes);
  await call.caller.until('"usage"');
  call.reply.reset();
  const { body, whole } = await call.caller.untilClosed();
  expect({ body, whole }).toEqual({ body: bytes.toString(), whole: true });
  expect(await onlyStep(pair.gateway, call.session_id)).toMatchObject({ status_code: 200 });
});
