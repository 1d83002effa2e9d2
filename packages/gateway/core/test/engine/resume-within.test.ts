import type { JsonObject } from "@proj/model-apis/json";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endOfTurn, type Sampled } from "./engine-server.ts";
import { type Part, type PausedEngine, type Played, paused, startPaused } from "./paused-engine.ts";

// Streamed answers that a pause cuts off where the agent has got some of what the engine cannot go on with by itself.

const sampled = (delta: JsonObject, tokens: Readonly<Record<number, string>>): Sampled => ({
  delta,
  ids: Object.keys(tokens).map(Number),
  texts: Object.values(tokens),
});
const content = (text: string, tokens: Readonly<Record<number, string>>): Sampled =>
  sampled({ content: text }, tokens);
const call = (given: JsonObject, tokens: Readonly<Record<number, string>>): Sampled =>
  sampled({ tool_calls: [{ index: 0, function: given }] }, tokens);
const end = sampled({}, { [endOfTurn]: "<|im_end|>" });

/** Cut off twice within a call, whose rest an engine that is asked to go on gives out as text. */
const withinCall: readonly Part[] = [
  [
    content("I press.", { 21: "I press." }),
    call({ name: "press" }, { 22: "\n<tool_call>\n", 23: '{"name": "press", "arguments": ' }),
    call({ arguments: '{"key":' }, { 24: '{"key":', 25: " " }),
    paused,
  ],
  [content('"', { 26: '"' }), content("{b", { 27: "{b" }), paused],
  [
    content('\\""}}\n', { 28: '\\""}}\n' }),
    content('</tool_call>\n<tool_call>\n{"name": "press", "argu', {
      29: '</tool_call>\n<tool_call>\n{"name": "press", "argu',
    }),
    content('ments": {"key": "c"}}\n</tool_call>', { 30: 'ments": {"key": "c"}}\n</tool_call>' }),
    end,
  ],
];

const parameters = { type: "object", properties: { key: { type: "string" } } };
const press = { name: "press", parameters };
const asking = { role: "user", content: "Press." };
const model = "policy";

const chatTools = [{ type: "function", function: press }];

let engine: PausedEngine;
beforeAll(async () => {
  const extra_body = { max_completion_tokens: 40 };
  engine = await startPaused({ extra_body, extra_body_stream: { max_tokens: 30 } });
});
afterAll(() => engine.close());

async function ask({ url, steps }: Played, path: string, body: JsonObject) {
  const answer = await fetch(`${url}/${path}`, { method: "POST", body: JSON.stringify(body) });
  const events = await answer.text();
  const { engine: record, ...whole } = JSON.parse(steps()[0]?.response ?? "null");
  return { status: answer.status, events, record, text: JSON.stringify(whole) };
}

const google = {
  contents: [{ role: "user", parts: [{ text: "Press." }] }],
  tools: [{ functionDeclarations: [press] }],
};

test.each<[path: string, body: JsonObject]>([
  ["chat/completions", { messages: [asking], tools: chatTools }],
  ["responses", { input: [asking], tools: [{ type: "function", ...press }] }],
  ["messages", { messages: [asking], tools: [{ name: "press", input_schema: parameters }] }],
  [`models/${model}:streamGenerateContent?alt=sse`, google],
])("a streamed answer cut within a tool call goes on within it: %s", async (path, body) => {
  const played = await engine.play(withinCall);
  const asking = body === google ? body : { model, max_tokens: 99, stream: true, ...body };
  const { status, events, record, text } = await ask(played, path, asking);
  expect([status, events]).toEqual([200, expect.not.stringContaining("tool_call>")]);
  // In some APIs arguments are JSON in a text.
  const values = [...text.matchAll(/"key\\?": ?\\?"(.*?)\\?"\\?\}/g)].map(([, value]) => value);
  expect(values).toEqual([expect.stringMatching(/^\{b\\+"$/), "c"]);
  expect(text).toContain("I press.");
  expect(record).toMatchObject({ resumed: [5, 7], cut: null, prompt_mismatch: false });
  expect(record.token_ids).toEqual([21, 22, 23, 24, 25, 26, 27, 28, 29, 30, endOfTurn]);
  expect(record.logprobs).toHaveLength(11);
  const [first = { ids: [] }] = played.asked;
  const sent = played.asked.map(({ ids, ...it }) => [ids.length, it.max_tokens, it.tool_choice]);
  expect(sent).toEqual([
    [first.ids.length, 30, undefined],
    [first.ids.length + 5, 25, "none"],
    [first.ids.length + 7, 23, "none"],
  ]);
});

test("a streamed answer cut behind a held-back stop text goes on behind the token that was given out in part", async () => {
  const played = await engine.play([
    [content("One", { 11: "One" }), content(" t", { 12: " two", 13: " th" }), paused],
    [content(" four", { 14: " four" }), end],
  ]);
  const body = { model, messages: [asking], stream: true, stop: ["\nEND"] };
  const { events, text, record } = await ask(played, "chat/completions", body);
  expect(events).toContain("[DONE]");
  expect(text).toContain('"One two four"');
  expect(record).toMatchObject({ resumed: [2], token_ids: [11, 12, 14, endOfTurn] });
  // The route's own limits are those of the whole answer, too.
  expect(played.asked.map((it) => [it.max_completion_tokens, it.max_tokens])).toEqual([
    [40, 30],
    [38, 28],
  ]);
});

/** Arguments in XML, which the engine's parser gives out as JSON, cut off twice. */
const inXml: readonly Part[] = [
  [
    content("I press.", { 31: "I press." }),
    call({ name: "press" }, { 32: "<tool_call>\n<function=press>\n" }),
    call({ arguments: '{"key": "' }, { 33: "<parameter=key>\n" }),
    paused,
  ],
  [content("b", { 34: "b" }), paused],
  [
    content("</parameter></function></tool_call>", { 35: "</parameter></function></tool_call>" }),
    end,
  ],
];
const pressed = (key: string) => ({ name: "press", arguments: `{"key": "${key}"}` });
const asXml = { model, messages: [asking], stream: true, tools: chatTools };

test("arguments in another form than JSON are read by the engine's own parser, from all that was sampled", async () => {
  const played = await engine.play(inXml, true, [pressed("b"), pressed("c")]);
  const { events, record, text } = await ask(played, "chat/completions", asXml);
  expect(events).toContain("[DONE]");
  expect(events).not.toContain("parameter");
  const [{ message, finish_reason }] = JSON.parse(text).choices;
  expect(finish_reason).toBe("tool_calls");
  expect(message.content).toBe("I press.");
  expect(message.tool_calls.map((it: { function: object }) => it.function)).toEqual([
    pressed("b"),
    pressed("c"),
  ]);
  const [first = { ids: [] }] = played.asked;
  const ids = [31, 32, 33, 34, 35, endOfTurn];
  expect(record).toMatchObject({ resumed: [3, 4], cut: null, token_ids: ids });
  expect(played.asked.map((it) => [it.ids.length - first.ids.length, it.tool_choice])).toEqual([
    [0, undefined],
    [3, "none"],
    [4, "none"],
  ]);
  expect(played.parsed).toEqual([{ prompt: first.ids, ids }]);
});

test.each([
  ["the engine cannot be asked to parse", undefined, "--enable-scale-out"],
  [
    "its parser reads otherwise",
    [{ name: "press", arguments: '{"key":"b"}' }],
    "reads its beginning",
  ],
  ["its parser finds less", [], "reads its beginning"],
])("what an agent has got of a call is not taken back if %s", async (_why, calls, told) => {
  const played = await engine.play(inXml, true, calls);
  const { events, record } = await ask(played, "chat/completions", asXml);
  expect(events).toContain(told);
  expect(record).toMatchObject({ resumed: [3, 4], token_ids: [31, 32, 33, 34, 35, endOfTurn] });
});

test("an answer that a grammar binds is not begun again once the agent has got some of it", async () => {
  const played = await engine.play([[content('{"a"', { 41: '{"a"' }), paused]]);
  const response_format = { type: "json_object" };
  const body = { model, messages: [asking], stream: true, response_format };
  const { events, record } = await ask(played, "chat/completions", body);
  expect(events).toContain("bound to a grammar");
  expect(record).toMatchObject({ cut: "broken_off", token_ids: [41] });
  expect(played.asked).toHaveLength(1);
});
