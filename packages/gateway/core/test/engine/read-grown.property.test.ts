import { endpoints, type RequestBody, readRequestBody } from "@proj/model-apis";
import type { JsonObject } from "@proj/model-apis/json";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readGrown } from "../../src/engine/read-grown.ts";

type Conversation = ReturnType<
  NonNullable<(typeof endpoints)[number]["readRequest"]>
>["conversation"];
type Message = Conversation["messages"][number];

const text = fc.string({ minLength: 1, maxLength: 9, unit: "grapheme" });
const said = (role: string) =>
  text.map((text): Message => ({ role, parts: [{ kind: "text", text }] }));
const called = fc.nat({ max: 3 }).map((call): Message => {
  const call_id = `call_${call}`;
  return {
    role: "assistant",
    parts: [{ kind: "tool_call", call_id, name: "press", arguments: '{"key":"a"}' }],
  };
});
const result = fc.tuple(fc.nat({ max: 3 }), text).map(([call, text]): Message => {
  const parts = [{ kind: "text", text }] as const;
  return {
    role: "tool",
    parts: [{ kind: "tool_result", call_id: `call_${call}`, text, parts, is_error: false }],
  };
});
const messages = fc.array(fc.oneof(said("user"), said("assistant"), called, result), {
  minLength: 1,
  maxLength: 8,
});
const names = fc.constantFrom("press", "look");
const sampling = {
  ...{ temperature: null, top_p: null, top_k: null, min_p: null, repetition_penalty: null },
  ...{ frequency_penalty: null, presence_penalty: null, seed: null, max_tokens: null, n: null },
  top_logprobs: null,
};
const conversationOf = (system: readonly Message[], said: readonly Message[], tool: string) => ({
  model: "policy",
  messages: [...system, ...said],
  tools: [{ name: tool, description: null, parameters: { type: "object" }, strict: null }],
  ...{ tool_choice: "auto" as const, parallel_tool_calls: null, sampling, stop: [] },
  ...{ format: { kind: "text" as const }, reasoning_effort: null, stream: false },
  stream_usage: false,
});

const conversing = endpoints.flatMap(({ name, chat, history, writeRequest }) =>
  chat === null || history === null || writeRequest === null
    ? []
    : [{ name, read: chat.read, history, write: writeRequest }],
);

test.each(conversing)("$name: a request is read as a whole from where it goes on", (api) => {
  const { read, history, write } = api;
  let grown = 0;
  fc.assert(
    fc.property(
      fc.array(said("system"), { maxLength: 1 }),
      messages,
      messages,
      names,
      (...given) => {
        const [system, before, added, tool] = given;
        const body = (said: readonly Message[], named: string, known: RequestBody | null) => {
          const { body } = write(conversationOf(system, said, named));
          const { [history]: grows, tools, ...rest }: JsonObject = { model: "policy", ...body };
          const bytes = Buffer.from(JSON.stringify({ ...rest, [history]: grows, tools }));
          return readRequestBody(bytes, history, known);
        };
        const first = body(before, "press", null);
        readGrown(asCall(first, null), read, history);
        const whole = body([...before, ...added], tool, null);
        const isSame = whole.bytes.subarray(0, first.messages_end - 1);
        // An API that joins turns may write the last message longer.
        fc.pre(first.bytes.subarray(0, first.messages_end - 1).equals(isSame));
        const { asked, request } = readGrown(asCall(whole, first), read, history);
        expect(asked).toEqual(read(JSON.parse(whole.bytes.toString())));
        const all = JSON.parse(whole.bytes.toString())[history].length;
        if ((request[history] as readonly unknown[]).length < all) grown += 1;
      },
    ),
  );
  expect(grown).toBeGreaterThan(10);
});

const asCall = (body: RequestBody, former: RequestBody | null) => ({
  body,
  served: null,
  recorded: {
    bytes: body.bytes,
    beginning: () => body.bytes,
    former: former === null ? null : { body: former },
  },
});
