import { describe, expect, test } from "vitest";
import { start } from "./start.ts";

interface Answer {
  readonly prompt_token_ids: number[];
  readonly choices: readonly {
    readonly message: Record<string, unknown>;
    readonly token_ids: number[];
    readonly logprobs: { readonly content: readonly unknown[] } | null;
  }[];
  readonly metadata?: unknown;
}

interface StreamedChoice {
  readonly delta: Readonly<Record<string, string>>;
  readonly token_ids?: readonly number[];
}

const question = { role: "user", content: "What is 19 + 23?" };
const tools = [
  { type: "function", function: { name: "look", parameters: { properties: { b: {}, a: {} } } } },
];

/** Sends a request, then a second one with the answer in its history. */
async function twoCalls(demo: object, more: object = {}): Promise<readonly [Answer, Answer]> {
  const { url } = await start();
  const ask = async (messages: readonly object[]): Promise<Answer> => {
    const body = JSON.stringify({
      model: "a",
      return_token_ids: true,
      logprobs: true,
      demo,
      messages,
      ...more,
    });
    const answer = await fetch(`${url}/chat/completions`, { method: "POST", body });
    expect(answer.status).toBe(200);
    return (await answer.json()) as Answer;
  };
  const first = await ask([question]);
  const message = first.choices[0]?.message ?? {};
  const calls = message.tool_calls;
  const next = Array.isArray(calls)
    ? { role: "tool", tool_call_id: calls[0].id, content: "a door" }
    : { role: "user", content: "And 1 + 1?" };
  return [first, await ask([question, message, next])];
}

function extendsTheFirst([first, second]: readonly [Answer, Answer]): boolean {
  const whole = [...first.prompt_token_ids, ...(first.choices[0]?.token_ids ?? [])];
  return whole.every((id, at) => id === second.prompt_token_ids[at]);
}

describe("the token ids of a conversation", () => {
  test.each([
    ["of text", {}, {}],
    ["of thinking", { thinking: true }, {}],
    ["of a tool's call", {}, { tools }],
  ])("%s continue those of the call before", async (_, demo, more) => {
    const calls = await twoCalls(demo, more);
    expect(extendsTheFirst(calls)).toBe(true);
    const [choice] = calls[0].choices;
    expect(choice?.logprobs?.content).toHaveLength(choice?.token_ids.length ?? 0);
  });

  test.each([
    ["merge", {}, {}],
    ["strip_thinking", { thinking: true }, {}],
    ["sort_arguments", {}, { tools }],
  ])("do not continue them if the template drifts: %s", async (drift, demo, more) => {
    expect(extendsTheFirst(await twoCalls({ ...demo, drift }, more))).toBe(false);
  });
});

test("weights may change in the middle of an answer", async () => {
  const [{ metadata, choices }] = await twoCalls({ weight_versions: ["7", "8"] });
  const end = choices[0]?.token_ids.length ?? 0;
  const middle = Math.round(end / 2);
  expect(metadata).toEqual({
    weight_versions: [
      { version: "7", start: 0, end: middle },
      { version: "8", start: middle, end },
    ],
  });
});

test("a stream adds up to the same thinking, ids and versions", async () => {
  const { client, url } = await start();
  const demo = { thinking: true, weight_versions: ["7"] };
  const body = { model: "a", messages: [question], return_token_ids: true, demo };
  const plain = await fetch(`${url}/chat/completions`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  const whole = (await plain.json()) as Answer;
  const chunks: Record<string, unknown>[] = [];
  const request: object = { ...body, stream: true };
  const stream = await client.post("/chat/completions", { body: request, stream: true });
  for await (const chunk of stream as AsyncIterable<Record<string, unknown>>) chunks.push(chunk);
  const choices = chunks.flatMap((chunk) => chunk.choices as StreamedChoice[]);
  const joined = (name: string): string => choices.map(({ delta }) => delta[name] ?? "").join("");
  expect(joined("reasoning_content")).toBe(whole.choices[0]?.message.reasoning_content);
  expect(joined("content")).toBe(whole.choices[0]?.message.content);
  expect(choices.flatMap(({ token_ids }) => token_ids ?? [])).toEqual(whole.choices[0]?.token_ids);
  expect(chunks.at(-1)).toMatchObject({ metadata: whole.metadata });
});

test("an unknown drift is refused", async () => {
  const { url } = await start();
  const body = JSON.stringify({ model: "a", messages: [question], demo: { drift: "left" } });
  const answer = await fetch(`${url}/chat/completions`, { method: "POST", body });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("demo.drift");
});
