import { chatCompletion, chatStream } from "@proj/test-kit";
import { expect, test } from "vitest";
import { StreamReading } from "../../src/answer-reading/stream-reading.ts";
import { streamTimes } from "../../src/answer-reading/stream-times.ts";
import { CallerGoneError } from "../../src/gateway-error.ts";
import { type BodySink, createAnswer } from "../../src/pipeline/answer.ts";
import { createCall } from "../upstream/upstream-fixture.ts";

const events = chatStream(chatCompletion());

/** A reading between a source that the test plays and a caller that takes nothing more for now. */
function readForFullCaller() {
  const received = Promise.resolve();
  const source = { resumed: false };
  const resume = (): void => {
    source.resumed = true;
  };
  const body = { pipe: () => {}, resume, cancel: () => {} };
  const call = createCall();
  const answer = createAnswer({
    status: 200,
    headers: [],
    body,
    format: "event_stream",
    upstream: null,
    received,
  });
  const reading = new StreamReading(answer, call, {
    keepsText: true,
    redacts: false,
    maxCaptureBytes: 1_000_000,
    times: streamTimes,
  });
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

test("a caller that is full stops the source", () => {
  const { reading, caller } = readForFullCaller();
  expect(reading.write(Buffer.concat(events.slice(0, 2)))).toBe(false);
  expect(caller.tail).toBeNull();
  reading.end([]);
});

test("a caller that is full when the stream ends does not: the source's own end is still to come", () => {
  const { reading, caller } = readForFullCaller();
  expect(reading.write(Buffer.concat(events))).toBe(true);
  expect(caller.tail).toBe("data: [DONE]\n\n");
  expect(reading.write(Buffer.from(": more\n\n"))).toBe(true);
  reading.end([]);
  expect(reading.facts()).toMatchObject({ complete: true, prompt_tokens: 11 });
});

test("a caller that leaves with a complete answer it had not taken yet keeps no usage from coming", () => {
  const { reading, call, source } = readForFullCaller();
  expect(reading.write(Buffer.concat(events.slice(0, -2)))).toBe(false);
  call.cancellation.cancel(new CallerGoneError("the caller left"));
  expect(source.resumed).toBe(true);
  reading.write(Buffer.concat(events.slice(-2)));
  reading.end([]);
  expect(reading.facts()).toMatchObject({ complete: true, prompt_tokens: 11 });
});
