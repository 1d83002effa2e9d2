import { expect, test } from "vitest";
import { canonicalJson } from "../src/messages/canonical-json.ts";
import { hasReasoning, type Reading, readMessage } from "../src/messages/message-views.ts";

const readings = ["as_sent", "arguments_read", "without_reasoning"] as const;
const say = (content: unknown, more: object = {}) => ({ role: "assistant", content, ...more });
const calls = (args: unknown) => [{ id: "c1", function: { name: "add", arguments: args } }];
const call = (args: unknown) => say(null, { tool_calls: calls(args) });
const item = (args: unknown) => ({ type: "function_call", call_id: "c1", arguments: args });
const part = (text: string, more: object = {}) => ({ type: "text", text, ...more });
const thinking = { type: "thinking", thinking: "two and two" };

test.each<[string, unknown, unknown, Reading | null]>([
  ["a text and its only part", say("4"), say([part("4")]), "as_sent"],
  [
    "a text and its only part in Google's API",
    { role: "model", parts: "4" },
    { role: "model", parts: [{ text: "4" }] },
    "as_sent",
  ],
  ["a text and two parts", say("4"), say([part("4"), part("")]), null],
  ["a text and a part of another kind", say("4"), say([{ type: "image", image: "4" }]), null],
  ["two texts", say("4"), say("5"), null],
  ["keys in another order", { b: [1, {}], a: 2 }, { a: 2, b: [1, {}] }, "as_sent"],
  [
    "members without a value",
    say("4"),
    say("4", { name: null, refusal: "", tool_calls: [], id: "m" }),
    "as_sent",
  ],
  [
    "what servers add to a part",
    say(["x", part("4")]),
    say(["x", part("4", { cache_control: {} })]),
    "as_sent",
  ],
  ["another role", say("4"), { role: "user", content: "4" }, null],
  ["arguments in another form", call('{"a":2,"b":3}'), call('{"b": 3, "a": 2}'), "arguments_read"],
  ["an item's arguments in another form", item('{"a":2}'), item('{ "a": 2 }'), "arguments_read"],
  ["arguments that are not JSON", call("{"), call("{ "), null],
  ["arguments that are JSON already", call({ a: 2 }), call('{"a":2}'), "arguments_read"],
  [
    "a member of another message in another form",
    say("4", { note: '{"a":2}' }),
    say("4", { note: '{ "a": 2 }' }),
    null,
  ],
  ["calls under another name", { notes: calls("{}") }, { notes: calls("{ }") }, null],
  ["other calls", call('{"a":2}'), say(null, { tool_calls: [null, "x"] }), null],
  [
    "reasoning beside the text",
    say("4"),
    say("4", { reasoning_content: "two" }),
    "without_reasoning",
  ],
  ["reasoning among the parts", say("4"), say([thinking, part("4")]), "without_reasoning"],
  [
    "a thought among Google's parts",
    { parts: [{ text: "4" }] },
    { parts: [{ text: "two", thought: true }, { text: "4" }] },
    "without_reasoning",
  ],
  ["strings in the place of messages", "a", "b", null],
])("%s are equal from a reading on, or never", (_, one, other, first) => {
  const equal = readings.filter(
    (reading) => readMessage(one, reading) === readMessage(other, reading),
  );
  expect(equal).toEqual(first === null ? [] : readings.slice(readings.indexOf(first)));
});

test("an item of reasoning alone is left out with the reasoning, and only then", () => {
  const read = readings.map(
    (reading) => readMessage({ type: "reasoning", summary: ["a"] }, reading) === null,
  );
  expect(read).toEqual([false, false, true]);
  const messages = [{ type: "reasoning" }, say([thinking]), say("4"), "text"];
  expect(messages.map(hasReasoning)).toEqual([true, true, false, false]);
});

test("canonical JSON is JSON with its keys sorted", () => {
  const value = { b: 1, a: [2, { d: null, c: "x" }, []], e: {} };
  expect(canonicalJson(value)).toBe('{"a":[2,{"c":"x","d":null},[]],"b":1,"e":{}}');
  expect(canonicalJson([undefined])).toBe("[null]");
});
