import {
  chatCompletion,
  chatStream,
  jsonBytes,
  responseObject,
  responseStream,
} from "@proj/test-kit";
import { expect, test } from "vitest";
import { useGatewayPair } from "../pipeline/gateway-pair.ts";
import { expectNoWarnings } from "../pipeline/no-warnings.ts";
import { onlyStep } from "../telemetry/bound-calls.ts";

// The upstream's content-type decides whether an answer is a stream, even if the request asked for the other.

expectNoWarnings();
const pair = useGatewayPair();

const endpoints = [
  {
    endpoint: "chat/completions",
    document: jsonBytes(chatCompletion()),
    events: chatStream(chatCompletion()),
  },
  {
    endpoint: "responses",
    document: jsonBytes(responseObject()),
    events: responseStream(responseObject()),
  },
] as const;

test.for(endpoints)(
  "an upstream that answers JSON to a stream request is believed ($endpoint)",
  async ({ endpoint, document }) => {
    await using call = await pair.call(endpoint, { stream: true });
    await call.reply.send(document, { headers: { "content-type": "application/json" } });
    const { status, headers, body, whole } = await call.caller.untilClosed();
    expect({ status, body, whole }).toEqual({
      status: 200,
      body: document.toString(),
      whole: true,
    });
    expect(headers).toContain("content-type: application/json");
    expect(headers).toContain(`content-length: ${document.length}`);
    expect(await onlyStep(pair.gateway, call.session_id)).toMatchObject({
      status_code: 200,
      response: document.toString(),
      meta: { is_stream: true, prompt_tokens: 11, completion_tokens: 5 },
    });
  },
);

test.for(endpoints)(
  "an upstream that streams unasked is relayed as a stream ($endpoint)",
  async ({ endpoint, document, events }) => {
    await using call = await pair.call(endpoint, { stream: false });
    await call.reply.startEvents();
    const [first = "", ...rest] = events;
    await call.reply.write(first);
    await call.caller.until(first.toString());
    await call.reply.write(Buffer.concat(rest));
    await call.reply.end();
    const { body, whole } = await call.caller.untilClosed();
    expect({ body, whole }).toEqual({ body: Buffer.concat(events).toString(), whole: true });
    const step = await onlyStep(pair.gateway, call.session_id);
    expect(step).toMatchObject({ status_code: 200, meta: { is_stream: false } });
    expect(JSON.parse(step.response ?? "")).toMatchObject(
      // The assembled object lacks what a stream does not carry.
      endpoint === "responses" ? JSON.parse(document.toString()) : { usage: { total_tokens: 16 } },
    );
  },
);

test.for([
  "text/event-stream",
  "Text/Event-Stream ; charset=UTF-8",
  "text/event-stream;charset=utf-8",
])("'%s' is an event stream", async (type) => {
  const [{ events }] = endpoints;
  await using call = await pair.call("chat/completions");
  await call.reply.events(events, { headers: { "content-type": type } });
  expect((await call.caller.untilClosed()).body).toBe(Buffer.concat(events).toString());
  const step = await onlyStep(pair.gateway, call.session_id);
  expect(JSON.parse(step.response ?? "")).toMatchObject({ object: "chat.completion" });
});

test.for(["text/plain", "text/event-streams", "application/x-ndjson", null])(
  "'%s' is not an event stream, and is stored as it came",
  async (type) => {
    const text = 'data: {"choices":[]}\n\n';
    await using call = await pair.call("chat/completions", { stream: false });
    await call.reply.send(text, { headers: { "content-type": type } });
    const { body, whole } = await call.caller.untilClosed();
    expect({ body, whole }).toEqual({ body: text, whole: true });
    const step = await onlyStep(pair.gateway, call.session_id);
    expect(step).toMatchObject({
      status_code: 502,
      response: JSON.stringify(text),
      meta: { outcome: "no_answer", response_bytes: text.length },
    });
  },
);
