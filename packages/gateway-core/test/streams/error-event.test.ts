import { APIError } from "openai";
import { Stream } from "openai/core/streaming";
import { expect, test } from "vitest";
import { errorEvent } from "../../src/streams/error-event.ts";

const error = {
  message: "broke off",
  type: "upstream_error",
  param: null,
  code: "upstream_invalid_response",
};
const between = { betweenEvents: true, nextSequenceNumber: 7 };

test("a chat stream's error is data alone", () => {
  const bytes = errorEvent("chat_completions", error, between);
  expect(Buffer.from(bytes).toString()).toBe(`data: ${JSON.stringify({ error })}\n\n`);
});

test("a responses stream's error has its event's form and number", () => {
  const bytes = errorEvent("responses", error, between);
  const [name, data, ...rest] = Buffer.from(bytes).toString().split("\n");
  expect(name).toBe("event: error");
  const { message, param, code } = error;
  expect(JSON.parse(data?.replace("data: ", "") ?? "")).toEqual({
    type: "error",
    code,
    message,
    param,
    sequence_number: 7,
  });
  expect(rest).toEqual(["", ""]);
});

test("an event that was half sent is ended first", () => {
  const bytes = errorEvent("chat_completions", error, { ...between, betweenEvents: false });
  expect(Buffer.from(bytes).toString()).toMatch(/^\n\ndata: /);
});

test.each(["chat_completions", "responses"] as const)(
  "the official client raises it (%s)",
  async (endpoint) => {
    const response = new Response(Buffer.from(errorEvent(endpoint, error, between)));
    const stream = Stream.fromSSEResponse(response, new AbortController());
    const raised = await stream[Symbol.asyncIterator]()
      .next()
      .catch((reason: unknown) => reason);
    expect(raised).toBeInstanceOf(APIError);
    expect(raised).toMatchObject({
      code: error.code,
      message: expect.stringContaining(error.message),
    });
  },
);
