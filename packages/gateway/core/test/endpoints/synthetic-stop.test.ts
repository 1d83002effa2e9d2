import { expect, test } from "vitest";
import { bytesOf, stopFor, stopText } from "./synthetic-stop-server.ts";

function responseTo(request: object | string): Record<string, unknown> {
  const bytes = Buffer.from(typeof request === "string" ? request : JSON.stringify(request));
  return JSON.parse(bytesOf(stopFor(bytes, "responses")).toString());
}

const defaults = {
  background: false,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  service_tier: "default",
  store: true,
  temperature: 1,
  text: { format: { type: "text" }, verbosity: "medium" },
  tool_choice: "auto",
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: "disabled",
  user: null,
  usage: {
    input_tokens: 0,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: 0,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 0,
  },
};

test("a response has every member, with the API's defaults", () => {
  expect(responseTo({ model: "a", input: "x" })).toMatchObject(defaults);
});

test("a response repeats its request's settings", () => {
  const said = {
    instructions: "Be brief.",
    max_output_tokens: 9,
    metadata: { run: "7" },
    parallel_tool_calls: false,
    reasoning: { effort: "low" },
    temperature: 0,
    text: { format: { type: "json_object" } },
    tool_choice: { type: "function", name: "act" },
    tools: [{ type: "function", name: "act", parameters: {}, strict: true }],
    top_p: 0.5,
    truncation: "auto",
    user: "someone",
  };
  const response = responseTo({
    model: "a",
    ...said,
    input: [{ role: "user", content: "secret" }],
  });
  expect(response).toMatchObject(said);
  expect(response).not.toHaveProperty("input");
  expect(JSON.stringify(response)).not.toContain("secret");
});

test("members of the wrong type, or null, become the defaults", () => {
  const wrong = {
    instructions: ["x"],
    max_output_tokens: "9",
    metadata: [],
    parallel_tool_calls: null,
    reasoning: "high",
    temperature: "hot",
    text: { format: 7 },
    tool_choice: 1,
    tools: [1],
    top_p: null,
    truncation: {},
    user: 1,
  };
  expect(responseTo({ model: "a", input: "x", ...wrong })).toMatchObject(defaults);
});

test("no request is too deep or too long to be stopped", () => {
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  // A member named toJSON keeps JSON.stringify off its non-recursive path.
  const tools = `[{"toJSON":1,"deep":${deep}}]`;
  for (const stream of [true, false]) {
    const body = `{"model":"a","input":${deep},"stream":${stream},"tools":${tools}}`;
    const text = bytesOf(stopFor(Buffer.from(body), "responses")).toString();
    expect(text).toContain(stopText);
    expect(text).toContain('"tools":[]');
  }
  const instructions = "x".repeat(1_000_000);
  expect(responseTo({ model: "a", input: "x", instructions })).toMatchObject(defaults);
  expect(responseTo({ model: "a", input: instructions, temperature: 0 })).toMatchObject({
    temperature: 0,
  });
});

test("chat streams end in [DONE] and contain only data lines", () => {
  const options = ['{"include_usage":true}', '{"include_usage":"yes"}', "[]", "null"];
  const counts = options.map((option) => {
    const body = Buffer.from(
      `{"model":"a","messages":[],"stream":true,"stream_options":${option}}`,
    );
    const answer = stopFor(body, "chat_completions");
    expect(answer.headers).toEqual([
      "content-type",
      "text/event-stream; charset=utf-8",
      "x-gateway-stop",
      "max_steps",
    ]);
    expect(answer).toMatchObject({ status: 200, format: "event_stream", upstream: null });
    const events = bytesOf(answer).toString().split("\n\n");
    expect(events.pop()).toBe("");
    expect(events.at(-1)).toBe("data: [DONE]");
    expect(events.every((event) => event.startsWith("data: ") && !event.includes("\n"))).toBe(true);
    return events.length;
  });
  expect(counts).toEqual([5, 4, 4, 4]);
});

test("responses events have an event line and a data line, without [DONE]", () => {
  const body = Buffer.from('{"model":"a","input":"x","stream":true}');
  const events = bytesOf(stopFor(body, "responses")).toString().trimEnd().split("\n\n");
  expect(events).toHaveLength(9);
  for (const event of events) {
    const [, name, data = ""] = /^event: (.+)\ndata: (.+)$/.exec(event) ?? [];
    expect(JSON.parse(data).type).toBe(name);
  }
});
