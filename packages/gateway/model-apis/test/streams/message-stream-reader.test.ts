import { describe, expect, it } from "vitest";
import { MessageStreamReader } from "../../src/messages/message-stream-reader.ts";

const open = (maxBytes = 1e6): MessageStreamReader =>
  new MessageStreamReader({ assemble: true, maxBytes });

const bytesOf = (event: object): Buffer => Buffer.from(`data: ${JSON.stringify(event)}\n\n`);

function read(events: readonly object[], reader = open()): MessageStreamReader {
  for (const event of events) reader.push(bytesOf(event));
  reader.end();
  return reader;
}

const held = (reader: MessageStreamReader): unknown => JSON.parse(String(reader.facts().text));

const start = {
  type: "message_start",
  message: { id: "m", content: [], usage: { input_tokens: 3 } },
};
const stop = { type: "message_stop" };
const begin = (index: number, content_block: object) => ({
  type: "content_block_start",
  index,
  content_block,
});
const delta = (index: number, members: object) => ({
  type: "content_block_delta",
  index,
  delta: members,
});

describe("a stream of a message", () => {
  it("is complete at message_stop, and not before", () => {
    const said = [
      begin(0, { type: "text", text: "" }),
      delta(0, { type: "text_delta", text: "Hello" }),
    ];
    const events = [start, ...said, { type: "content_block_stop", index: 0 }, stop].map(bytesOf);
    const reader = open();
    for (const event of events.slice(0, -1)) expect(reader.push(event)).toEqual([event]);
    expect(reader).toMatchObject({ terminal: false, complete: false });
    expect(reader.push(events.at(-1) ?? Buffer.of())).toEqual([]);
    expect(reader).toMatchObject({ terminal: true, complete: true });
    expect(Buffer.concat(reader.tail())).toEqual(events.at(-1));
  });

  it("that just ends is incomplete, and keeps what came", () => {
    const reader = read([
      start,
      begin(0, { type: "text", text: "" }),
      delta(0, { type: "text_delta", text: "Hel" }),
    ]);
    expect(reader).toMatchObject({ terminal: false, complete: false });
    expect(held(reader)).toMatchObject({ content: [{ type: "text", text: "Hel" }] });
  });

  it.each([
    [{ type: "error", error: { type: "overloaded_error", message: "too much" } }, "too much"],
    [{ error: { message: "no type" } }, "no type"],
  ])("with the error %j is broken", (event, message) => {
    const reader = read([start, event]);
    expect(reader).toMatchObject({ complete: false, error: message });
  });

  it("keeps the pieces of a tool's input that are not JSON yet as text", () => {
    const piece = delta(0, { type: "input_json_delta", partial_json: '{"a":' });
    expect(
      held(read([start, begin(0, { type: "tool_use", id: "t", input: {} }), piece])),
    ).toMatchObject({
      content: [{ type: "tool_use", id: "t", input: '{"a":' }],
    });
  });

  it("keeps every digit of a tool's input", () => {
    const piece = delta(0, {
      type: "input_json_delta",
      partial_json: '{"seed":12345678901234567890}',
    });
    const reader = read([start, begin(0, { type: "tool_use", input: {} }), piece, stop]);
    expect(String(reader.facts().text)).toContain('"input":{"seed":12345678901234567890}');
  });

  it("keeps blocks and deltas of unknown types", () => {
    const events = [
      start,
      { type: "new_event", at: 1 },
      begin(0, { type: "compaction", content: null }),
      delta(0, { type: "compaction_delta", content: "so " }),
      delta(0, { type: "compaction_delta", content: "far" }),
      begin(1, { type: "web_search_tool_result", tool_use_id: "t", content: [{ title: "x" }] }),
      stop,
    ];
    expect(held(read(events))).toMatchObject({
      content: [
        { type: "compaction", content: "so far" },
        { type: "web_search_tool_result", tool_use_id: "t", content: [{ title: "x" }] },
      ],
    });
  });

  it("takes usage from the last event, and keeps counts that it omits", () => {
    const usage = { output_tokens: 7, cache_read_input_tokens: 4, input_tokens: null };
    const reader = read([
      start,
      { type: "message_delta", delta: { stop_reason: "max_tokens" }, usage },
      stop,
    ]);
    expect(reader.facts()).toMatchObject({
      finish_reason: "max_tokens",
      prompt_tokens: 7,
      completion_tokens: 7,
    });
    expect(held(reader)).toMatchObject({
      usage: { input_tokens: 3, output_tokens: 7, cache_read_input_tokens: 4 },
    });
  });

  it("keeps what the last event says of the whole message beside its delta", () => {
    const context_management = { applied_edits: [{ type: "clear_thinking_20251015" }] };
    const begun = { ...start, message: { ...start.message, context_management: null } };
    const end = { type: "message_delta", delta: { stop_reason: "end_turn" }, context_management };
    expect(held(read([begun, end, stop]))).toEqual({
      ...start.message,
      ...{ context_management, stop_reason: "end_turn" },
    });
  });

  it("keeps two blocks of one index apart, and says what it could not read", () => {
    const reader = read([
      start,
      begin(0, { type: "text", text: "" }),
      delta(0, { type: "text_delta", text: "Hello" }),
      begin(0, { type: "tool_use", id: "t1", name: "f", input: {} }),
      delta(0, { type: "input_json_delta", partial_json: '{"a":1}' }),
      stop,
    ]);
    expect(held(reader)).toMatchObject({
      content: [
        { type: "text", text: "Hello" },
        { type: "tool_use", id: "t1", name: "f", input: { a: 1 } },
      ],
    });
    const other = open();
    other.push(Buffer.from("data: oops\n\n"));
    expect(other.facts()).toMatchObject({
      truncated: true,
      unreadable: "an event is not a JSON object: oops",
    });
  });

  it("is cut in the row if it is too large, but relayed whole", () => {
    const long = "x".repeat(5_000);
    const reader = read(
      [
        start,
        begin(0, { type: "text", text: "" }),
        delta(0, { type: "text_delta", text: long }),
        stop,
      ],
      open(1_000),
    );
    expect(reader.facts()).toMatchObject({ truncated: true, complete: true });
  });

  it("ends in an error event of Anthropic's form", () => {
    const kind = { status: 504, type: "upstream_error" };
    const error = { message: "too late", param: null, code: "upstream_timeout", kind };
    expect(open().errorEvent(error, "req_1")).toBe(
      `event: error\ndata: ${JSON.stringify({
        type: "error",
        error: { type: "timeout_error", message: "too late", code: "upstream_timeout" },
        request_id: "req_1",
      })}\n\n`,
    );
  });
});
