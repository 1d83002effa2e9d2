import { describe, expect, test } from "vitest";
import { chatForm } from "../../src/chat-completions/chat-form.ts";
import { ChoiceStreamReader } from "../../src/streams/choice-stream-reader.ts";
import type { StreamReader } from "../../src/streams/stream-reader.ts";

const options = { assemble: true, maxBytes: 1e6 };

function createReader(): StreamReader {
  return new ChoiceStreamReader(chatForm, options);
}

/** Pushes each text as a separate chunk; returns what was passed on. */
function push(reader: StreamReader, ...chunks: readonly string[]): string {
  return Buffer.concat(chunks.flatMap((chunk) => reader.push(Buffer.from(chunk)))).toString();
}

function tail(reader: StreamReader): string {
  return Buffer.concat(reader.tail()).toString();
}

function delta(content: string, finish_reason: string | null = null, index = 0): string {
  return `data: ${JSON.stringify({ id: "c1", choices: [{ index, delta: { content }, finish_reason }] })}\n\n`;
}

test("a chunk is passed on byte for byte", () => {
  const reader = createReader();
  const chunk = new TextEncoder().encode(delta("hello") + delta(" world"));
  const passed = reader.push(chunk);
  expect(passed).toHaveLength(1);
  expect(passed[0]).toBe(chunk);
});

describe("the end of a stream", () => {
  const body = delta("hi") + delta("", "stop");

  test.each([
    ["with a space", "data: [DONE]\n\n"],
    ["without a space", "data:[DONE]\n\n"],
    ["without the last blank line", "data: [DONE]\n"],
    ["in CR alone", "data: [DONE]\r\r"],
    ["in CRLF", "data: [DONE]\r\n\r\n"],
    ["with something after it on the line", "data: [DONE] \n\n"],
    ["with bytes that follow", "data: [DONE]\n\ndata: {}\n\n: bye\n\n"],
  ])("is terminal and withheld %s, however it is cut", (_name, terminal) => {
    for (let at = 0; at <= terminal.length; at++) {
      const reader = createReader();
      const passed = push(reader, body + terminal.slice(0, at), terminal.slice(at));
      expect(passed).toBe(body);
      expect(tail(reader)).toBe(terminal);
      expect(reader.terminal).toBe(true);
      expect(reader.complete).toBe(true);
      expect(reader.betweenEvents).toBe(true);
    }
  });

  test("is terminal without a line's end once the body has ended", () => {
    const reader = createReader();
    push(reader, `${body}data: [DONE]`);
    expect(reader.terminal).toBe(false);
    reader.end();
    expect(reader.terminal).toBe(true);
    expect(tail(reader)).toBe("data: [DONE]");
  });

  test("is complete without [DONE], which is not added", () => {
    const reader = createReader();
    expect(push(reader, body)).toBe(body);
    reader.end();
    expect(reader.terminal).toBe(false);
    expect(reader.complete).toBe(true);
    expect(tail(reader)).toBe("");
  });

  test("counts a last event without its blank line, or without its line's end", () => {
    for (const cutOff of [1, 2]) {
      const reader = createReader();
      push(reader, body.slice(0, -cutOff));
      expect(reader.complete).toBe(false);
      reader.end();
      expect(reader.complete).toBe(true);
      expect(reader.betweenEvents).toBe(false);
    }
  });

  test("passes on bytes that might have become a terminal line", () => {
    const reader = createReader();
    expect(push(reader, `${body}data: [DON`)).toBe(body);
    reader.end();
    expect(tail(reader)).toBe("data: [DON");
    expect(reader.terminal).toBe(false);
  });

  test("is complete at [DONE] without any choice", () => {
    const reader = createReader();
    push(reader, 'data: {"choices":[]}\n\n');
    expect(reader.complete).toBe(false);
    push(reader, "data: [DONE]\n\n");
    expect(reader.complete).toBe(true);
  });
});

test("broken off at any byte, a stream is complete exactly from its last finish reason on", () => {
  const finished = delta("hi") + delta("", "stop");
  const usage = 'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2}}\n\n';
  const stream = `${finished}${usage}data: [DONE]\n\n`;
  for (let at = 0; at <= stream.length; at++) {
    const reader = createReader();
    const passed = push(reader, stream.slice(0, at));
    expect(reader.complete, `at ${at}`).toBe(at >= finished.length);
    expect(passed + tail(reader)).toBe(stream.slice(0, at));
    const { prompt_tokens, completion_tokens } = reader.facts();
    const isCounted = at >= finished.length + usage.length;
    expect([prompt_tokens, completion_tokens]).toEqual(isCounted ? [3, 2] : [null, null]);
  }
});

test("without every finish reason, a stream is complete only at [DONE]", () => {
  const reader = createReader();
  push(reader, delta("b", null, 1), delta("a", "length", 0));
  expect(reader.complete).toBe(false);
  push(reader, "data: [DONE]\n\n");
  expect(reader.complete).toBe(true);
  expect(reader.facts().finish_reason).toBe("length");
});

test("stays complete if a later chunk repeats a choice without a reason", () => {
  const reader = createReader();
  push(reader, delta("a", "stop"), delta(""));
  expect(reader.complete).toBe(true);
  expect(reader.facts().finish_reason).toBe("stop");
});

describe("what only looks like the end is passed on", () => {
  test.each([
    ["in content", delta("data: [DONE]\n\n")],
    ["as the second line of an event", "data: {}\ndata: [DONE]\n\n"],
    ["in a comment", ": data: [DONE]\n\n"],
    ["under another name", "xdata: [DONE]\n\n"],
    ["with two spaces", "data:  [DONE]\n\n"],
    ["with a space before the colon", "data : [DONE]\n\n"],
    ["unfinished", "data: [DONE\n\n"],
    ["after a field without a line's end", "id: data: [DONE]\n\n"],
  ])("%s", (_name, text) => {
    const reader = createReader();
    expect(push(reader, text)).toBe(text);
    const again = createReader();
    expect(push(again, ...text)).toBe(text);
    expect(again.terminal).toBe(false);
  });
});

describe("errors inside the stream", () => {
  test.each([
    ['{"error":{"message":"too hot","type":"server_error"}}', "too hot"],
    ['{"error":"too hot"}', "too hot"],
    ['{"object":"error","message":"too hot","code":500}', "too hot"],
    ['{"error":{"code":1}}', expect.stringContaining("without a message")],
  ])("%s", (data, message) => {
    const reader = createReader();
    const error = `data: ${data}\n\n`;
    expect(push(reader, delta("a", "stop"), error)).toBe(delta("a", "stop") + error);
    expect(reader.error).toEqual(message);
    expect(reader.terminal).toBe(false);
    expect(reader.complete).toBe(false);
    const facts = reader.facts();
    expect(facts.error).toEqual(message);
    expect(JSON.parse(String(facts.text)).choices[0].message.content).toBe("a");
  });

  test("a null error is not an error, and an error alone leaves no text", () => {
    const reader = createReader();
    push(reader, 'data: {"error":null,"choices":[]}\n\n');
    expect(reader.error).toBeNull();
    const failed = createReader();
    push(failed, 'data: {"error":{"message":"no"}}\n\n');
    expect(failed.facts()).toMatchObject({ text: null, sensitive: false });
  });
});

test.each([
  ["", true],
  [": comment\n", true],
  [": comment", false],
  ["data: {}", false],
  ["data: {}\n", false],
  ["data: {}\n\n", true],
  ["data: {}\r\n\r", true],
  ["data: {}\n\ndata: [DO", true],
  ["id: 1\ndata: [DO", false],
  ["id: 1\ndata: [DONE]\n\n", false],
  ["\n", true],
])("after %j a comment may be inserted: %s", (text, expected) => {
  const reader = createReader();
  push(reader, ...text);
  expect(reader.betweenEvents).toBe(expected);
});

test("data that are not a JSON object are skipped, and the answer says that it lacks them", () => {
  const reader = createReader();
  push(reader, "data\n\ndata: \n\n", delta("x"));
  expect(reader.facts()).toMatchObject({ truncated: false, unreadable: null });
  push(reader, "data: ping\n\ndata: [1]\n\ndata: null\n\n", delta("y", "stop"));
  expect(reader).toMatchObject({ complete: true, error: null });
  const facts = reader.facts();
  expect(facts).toMatchObject({
    truncated: true,
    unreadable: "an event is not a JSON object: ping",
  });
  expect(JSON.parse(String(facts.text)).choices[0].message.content).toBe("xy");
});

test.each([
  ['{"message":"quota exceeded","code":429}', "quota exceeded"],
  ['{"error":{"message":"quota exceeded"}}', "quota exceeded"],
  ["Request validation failed", "Request validation failed"],
])("an event called error is one, whatever its data: %s", (data, message) => {
  for (const line of ["event: error", "event:error"]) {
    const reader = createReader();
    push(reader, delta("a"), ...`${line}\ndata: ${data}\n\n`, "data: [DONE]\n\n");
    expect(reader).toMatchObject({ error: message, complete: false });
    expect(String(reader.facts().text)).not.toContain("quota");
  }
});
