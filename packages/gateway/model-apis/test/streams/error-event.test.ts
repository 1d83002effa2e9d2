import { APIError } from "openai";
import { Stream } from "openai/core/streaming";
import { expect, test } from "vitest";
import { type ApiError, openaiErrorBody } from "../../src/api-error.ts";
import { endpointsByName } from "../../src/endpoints.ts";
import type { StreamReader } from "../../src/streams/stream-reader.ts";

const reason: ApiError = {
  message: "broke off",
  param: null,
  code: "upstream_invalid_response",
  kind: { status: 502, type: "upstream_error" },
};

function openStream(name: keyof typeof endpointsByName): StreamReader {
  const reader = endpointsByName[name].openStream?.({ assemble: false, maxBytes: 1_000 });
  if (reader === undefined) throw new Error(`${name} does not stream`);
  return reader;
}

test("a chat stream's error is only data", () => {
  const text = openStream("chat_completions").errorEvent(reason, "req_1");
  expect(text).toBe(`data: ${JSON.stringify(openaiErrorBody(reason))}\n\n`);
});

test("a responses stream's error has its event's form and number", () => {
  const reader = openStream("responses");
  reader.push(Buffer.from('data: {"type":"response.in_progress","sequence_number":6}\n\n'));
  const [name, data, ...rest] = reader.errorEvent(reason, "req_1").split("\n");
  expect(name).toBe("event: error");
  const { message, param, code } = reason;
  expect(JSON.parse(data?.replace("data: ", "") ?? "")).toEqual({
    type: "error",
    code,
    message,
    param,
    sequence_number: 7,
  });
  expect(rest).toEqual(["", ""]);
});

test.each(["chat_completions", "responses"] as const)(
  "the official client raises it (%s)",
  async (endpoint) => {
    const response = new Response(openStream(endpoint).errorEvent(reason, "req_1"));
    const stream = Stream.fromSSEResponse(response, new AbortController());
    const raised = await stream[Symbol.asyncIterator]()
      .next()
      .catch((thrown: unknown) => thrown);
    expect(raised).toBeInstanceOf(APIError);
    expect(raised).toMatchObject({
      code: reason.code,
      message: expect.stringContaining(reason.message),
    });
  },
);
