import { endpointsByName } from "@proj/model-apis";
import { chatCompletion, chatStream } from "@proj/test-kit";
import { expect, test } from "vitest";
import { AnswerDecoder } from "../../src/answer-reading/answer-decoder.ts";
import { StreamReading } from "../../src/answer-reading/stream-reading.ts";
import { streamTimes } from "../../src/answer-reading/stream-times.ts";
import type { BodySink } from "../../src/call/answer.ts";
import { CallerGoneError, GatewayError } from "../../src/errors/gateway-error.ts";
import { createCall } from "../upstream/upstream-fixture.ts";

const events = chatStream(chatCompletion());

/** A reading between a source played by the test and a caller that has stopped reading. */
function readForFullCaller() {
  const source = { resumed: false };
  const resume = (): void => {
    source.resumed = true;
  };
  const body = { pipe: () => {}, resume, cancel: () => {} };
  const call = createCall();
  const options = {
    keepsText: true,
    redacts: false,
    capturesEmbeddings: false,
    maxCaptureBytes: 1_000_000,
    decoder: new AnswerDecoder(1),
    times: streamTimes,
  };
  const { openStream } = endpointsByName.chat_completions;
  if (openStream === null) throw new Error("chat completions stream");
  const reading = new StreamReading(body, call, options, openStream);
  const caller: { tail: string | null } & BodySink = {
    tail: null,
    write: () => false,
    end: (tail) => {
      caller.tail = Buffer.concat(tail).toString();
    },
    fail: () => {},
  };
  reading.pipe(caller);
  return { reading, caller, call, source };
}

test("a full caller stops the source", () => {
  const { reading, caller } = readForFullCaller();
  expect(reading.write(Buffer.concat(events.slice(0, 2)))).toBe(false);
  expect(caller.tail).toBeNull();
  reading.end([]);
});

test("a full caller does not stop the source once the stream has ended", () => {
  const { reading, caller } = readForFullCaller();
  expect(reading.write(Buffer.concat(events))).toBe(true);
  expect(caller.tail).toBe("data: [DONE]\n\n");
  expect(reading.write(Buffer.from(": more\n\n"))).toBe(true);
  reading.end([]);
  expect(reading.facts()).toMatchObject({ complete: true, prompt_tokens: 11 });
});

test("a caller that leaves with a complete but unread answer does not stop the usage from arriving", () => {
  const { reading, call, source } = readForFullCaller();
  expect(reading.write(Buffer.concat(events.slice(0, -2)))).toBe(false);
  call.cancellation.cancel(new CallerGoneError("the caller left"));
  expect(source.resumed).toBe(true);
  reading.write(Buffer.concat(events.slice(-2)));
  reading.end([]);
  expect(reading.facts()).toMatchObject({ complete: true, prompt_tokens: 11 });
});

test("a half-sent event is ended before the error event", () => {
  const { reading } = readForFullCaller();
  const error = new GatewayError("upstream_invalid_response", "broke off");
  expect(String(reading.errorEvent(error))).toMatch(/^data: /);
  reading.write(events[0]?.subarray(0, 10) ?? Buffer.alloc(0));
  expect(String(reading.errorEvent(error))).toMatch(/^\n\ndata: /);
  reading.end([]);
});
