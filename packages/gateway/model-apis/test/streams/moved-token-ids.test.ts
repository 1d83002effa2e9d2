import { expect, test } from "vitest";
import { chatForm } from "../../src/chat-completions/chat-form.ts";
import { ChoiceStreamReader } from "../../src/streams/choice-stream-reader.ts";
import { readEngineTokens } from "../../src/tokens/engine-tokens.ts";

const chunk = (choices: object[], more: object = {}): Buffer =>
  Buffer.from(`data: ${JSON.stringify({ id: "c1", choices, ...more })}\n\n`);

test("a stream through LiteLLM's proxy adds up to each choice's ids, wherever it puts them", () => {
  const reader = new ChoiceStreamReader(chatForm, { assemble: true, maxBytes: 1e6 });
  const moved = (...token_ids: number[]) => ({ provider_specific_fields: { token_ids } });
  const inDelta = (index: number, content: string, ...ids: number[]) => ({
    ...{ index, finish_reason: null },
    delta: { role: "assistant", content, ...moved(...ids) },
  });
  const inChoice = (index: number, content: string, ...ids: number[]) => ({
    ...{ index, finish_reason: null },
    delta: { content },
    ...moved(...ids),
  });
  for (const each of [
    chunk([inDelta(0, "a", 3)], { provider_specific_fields: { prompt_token_ids: [1, 2] } }),
    chunk([inChoice(1, "b", 6)]),
    chunk([inDelta(0, "c", 4, 5), inChoice(1, "d", 7)]),
    chunk([{ index: 0, delta: {}, finish_reason: "stop" }]),
    chunk([{ index: 1, delta: {}, finish_reason: "stop" }]),
    Buffer.from("data: [DONE]\n\n"),
  ])
    reader.push(each);
  reader.tail();
  reader.end();
  const response = JSON.parse(Buffer.from(reader.facts().text ?? "null").toString());
  const ids = [0, 1].map((at) => {
    const { prompt_ids, completion_ids } = readEngineTokens(response, at);
    return [prompt_ids, completion_ids].map((list) => list && Array.from(list));
  });
  expect(ids).toEqual([
    [
      [1, 2],
      [3, 4, 5],
    ],
    [
      [1, 2],
      [6, 7],
    ],
  ]);
});
