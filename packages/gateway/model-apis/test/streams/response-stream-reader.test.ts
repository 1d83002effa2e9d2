import { describe, expect, test } from "vitest";
import { ResponseStreamReader } from "../../src/responses/response-stream-reader.ts";

function createReader(maxBytes = 1e6, assemble = true): ResponseStreamReader {
  return new ResponseStreamReader({ assemble, maxBytes });
}

function push(reader: ResponseStreamReader, ...chunks: readonly string[]): string {
  return Buffer.concat(chunks.flatMap((chunk) => reader.push(Buffer.from(chunk)))).toString();
}

function tail(reader: ResponseStreamReader): string {
  return Buffer.concat(reader.tail()).toString();
}

function event(data: object): string {
  return `event: ${Reflect.get(data, "type")}\ndata: ${JSON.stringify(data)}\n\n`;
}

const echo = {
  id: "r",
  instructions: event({ type: "response.completed" }),
  metadata: { type: "response.failed" },
};
const created = event({
  type: "response.created",
  sequence_number: 0,
  response: { ...echo, status: "in_progress", output: [] },
});
const item = { id: "m", type: "message", role: "assistant", status: "in_progress", content: [] };
const added = event({
  type: "response.output_item.added",
  sequence_number: 1,
  output_index: 0,
  item,
});
const delta = (text: string): string =>
  event({
    type: "response.output_text.delta",
    sequence_number: 2,
    item_id: "m",
    output_index: 0,
    content_index: 0,
    delta: text,
  });

describe("terminal events are recognised by their own type", () => {
  test.each([
    [{ type: "response.completed", response: { ...echo, status: "completed" } }, "completed"],
    [
      { response: { ...echo, status: "failed", error: { message: "x" } }, type: "response.failed" },
      "failed",
    ],
    [
      {
        type: "response.incomplete",
        response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
      },
      "max_output_tokens",
    ],
    [{ type: "response.completed" }, "completed"],
  ])("%j", (data, reason) => {
    for (const text of [
      event(data),
      `data:${JSON.stringify(data, null, 1).replaceAll("\n", "\ndata:")}\n\n`,
    ]) {
      const reader = createReader();
      expect(push(reader, created, ...text)).toBe(created);
      expect(tail(reader)).toBe(text);
      expect(reader).toMatchObject({
        terminal: true,
        complete: true,
        error: null,
        betweenEvents: true,
      });
      expect(reader.facts()).toMatchObject({
        finish_reason: reason,
        error: null,
        truncated: false,
      });
    }
  });

  test.each([
    ['event: response.completed\ndata: {"type":"response.output_text.delta","delta":"x"}\n\n'],
    ['data: {"response":{"type":"response.completed"}}\n\n'],
    ['data: {"type":"response.in_progress","response":{"type":"error"}}\n\n'],
    ['data: {"type":"response.completed","response":{"id":"r"\n\n'],
    ["data: [DONE]\n\n"],
    ["data: response.completed\n\n"],
    [": response.completed\n"],
  ])("not %j", (text) => {
    const reader = createReader();
    expect(push(reader, ...text)).toBe(text);
    expect(reader).toMatchObject({ terminal: false, complete: false, error: null });
  });

  test("an escaped type counts as the type", () => {
    const reader = createReader();
    expect(push(reader, 'data: {"t\\u0079pe":"response\\u002ecompleted"}\n\n')).toBe("");
    expect(reader.terminal).toBe(true);
  });
});

describe("errors", () => {
  test.each([
    [{ type: "error", code: "x", message: "too hot", param: null, sequence_number: 3 }, "too hot"],
    [{ type: "error", error: { message: "too hot" } }, "too hot"],
    [{ type: "error" }, expect.stringContaining("without a message")],
  ])("%j ends the stream", (data, message) => {
    const reader = createReader();
    expect(push(reader, created, event(data))).toBe(created);
    expect(reader).toMatchObject({ terminal: true, complete: false });
    expect(reader.facts()).toMatchObject({ complete: false, error: message, finish_reason: null });
  });

  test("one without a type does not end it", () => {
    const reader = createReader();
    const text = 'data: {"error":{"message":"too hot"}}\n\n';
    expect(push(reader, text)).toBe(text);
    expect(reader).toMatchObject({ terminal: false, error: "too hot" });
  });
});

test("broken off at any byte, a stream is complete exactly when its terminal event has come", () => {
  const output = [{ ...item, status: "completed" }];
  const response = {
    ...echo,
    status: "completed",
    output,
    usage: { input_tokens: 5, output_tokens: 7 },
  };
  const before = created + added + delta("é😀");
  const stream = Buffer.from(
    before + event({ type: "response.completed", sequence_number: 3, response }),
  );
  for (let at = 0; at <= stream.length; at++) {
    const reader = createReader();
    const passed = Buffer.concat(reader.push(stream.subarray(0, at)));
    expect(reader.complete, `at ${at}`).toBe(at === stream.length);
    expect(passed.length).toBeLessThanOrEqual(Buffer.byteLength(before));
    expect(Buffer.concat([passed, ...reader.tail()]).equals(stream.subarray(0, at))).toBe(true);
    expect(reader.betweenEvents).toBe(true);
    reader.end();
    expect(reader.complete, `ended at ${at}`).toBe(at >= stream.length - 2);
    if (reader.complete) {
      expect(reader.facts()).toMatchObject({ prompt_tokens: 5, completion_tokens: 7 });
      expect(String(reader.facts().text)).toBe(JSON.stringify(response));
    }
  }
});

test("bytes that are not UTF-8 are passed on unchanged, and replaced in the kept text", () => {
  const reader = createReader();
  const end = Buffer.from(event({ type: "response.completed", response: { id: "r?" } }));
  end[end.indexOf("?")] = 0xff;
  reader.push(end);
  expect(Buffer.concat(reader.tail()).equals(end)).toBe(true);
  expect(String(reader.facts().text)).toBe('{"id":"r\u{fffd}"}');
});

test("the next sequence number follows the last one passed on", () => {
  const reader = createReader();
  expect(reader.nextSequenceNumber).toBe(0);
  push(reader, created, added);
  expect(reader.nextSequenceNumber).toBe(2);
  push(reader, delta("x").slice(0, -1));
  expect(reader.nextSequenceNumber).toBe(2);
  push(reader, "\n", event({ type: "response.completed", sequence_number: 3 }));
  expect(reader.nextSequenceNumber).toBe(3);
});

test("the tail contains what follows the terminal event, and an unfinished event", () => {
  const reader = createReader();
  const end = event({ type: "response.completed" });
  push(reader, `${created}${end}: bye\n`, "\ndata: {}");
  expect(tail(reader)).toBe(`${end}: bye\n\ndata: {}`);
  const open = createReader();
  push(open, created, ": half a comment");
  expect(tail(open)).toBe(": half a comment");
});

test("a whole comment between events is passed on at once", () => {
  const reader = createReader();
  expect(push(reader, created, ": keep-alive\n")).toBe(`${created}: keep-alive\n`);
  expect(reader.betweenEvents).toBe(true);
});

test("without assembly a response leaves its facts but no text", () => {
  const reader = createReader(1e6, false);
  const response = { status: "completed", usage: { input_tokens: 5, output_tokens: 7 } };
  push(reader, created, added, delta("x"), event({ type: "response.completed", response }));
  expect(reader.facts()).toMatchObject({
    text: null,
    truncated: false,
    prompt_tokens: 5,
    finish_reason: "completed",
  });
});
