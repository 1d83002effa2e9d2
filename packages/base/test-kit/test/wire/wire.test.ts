import { expect, test } from "vitest";
import {
  chatCompletion,
  chatStream,
  readAllServerSentEvents,
  responseObject,
  responseStream,
  type ServerSentEvent,
} from "../../src/index.ts";

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function read(events: readonly Buffer[]): Promise<ServerSentEvent[]> {
  return readAllServerSentEvents(once(Buffer.concat(events)));
}

interface Chunk {
  readonly choices: readonly {
    readonly index: number;
    readonly delta: Readonly<Record<string, unknown>>;
    readonly finish_reason: string | null;
    readonly token_ids?: readonly number[];
  }[];
  readonly usage?: unknown;
}

async function readChunks(events: readonly Buffer[]): Promise<Chunk[]> {
  const data = (await read(events)).map((event) => event.data ?? "");
  return data.filter((text) => text !== "[DONE]").map((text) => JSON.parse(text));
}

const joined = (chunks: readonly Chunk[], index: number, name: string): string =>
  chunks
    .flatMap((chunk) => chunk.choices)
    .filter((choice) => choice.index === index)
    .map((choice) => choice.delta[name] ?? "")
    .join("");

test("a stream's deltas add up to the completion, choice by choice", async () => {
  const completion = chatCompletion({
    choices: [
      { content: "Otters 🦦 swim", reasoning_content: "thinking it over" },
      { refusal: "I would rather not" },
    ],
  });
  const events = chatStream(completion, { pieceLength: 3 });
  const chunks = await readChunks(events);
  expect(joined(chunks, 0, "content")).toBe("Otters 🦦 swim");
  expect(joined(chunks, 0, "reasoning_content")).toBe("thinking it over");
  expect(joined(chunks, 1, "refusal")).toBe("I would rather not");
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: completion.usage });
  expect(events.at(-1)?.toString()).toBe("data: [DONE]\n\n");
  const finished = chunks
    .flatMap((chunk) => chunk.choices)
    .filter((choice) => choice.finish_reason);
  expect(finished.map((choice) => choice.index).sort()).toEqual([0, 1]);
});

test("log probabilities and token ids come with their tokens", async () => {
  const completion = chatCompletion({
    logprob_tokens: ["Ot", "ters", "!"],
    token_ids: [7, 8, 9],
    prompt_token_ids: [1, 2],
  });
  expect(completion.choices[0]?.message.content).toBe("Otters!");
  const chunks = await readChunks(chatStream(completion));
  expect(chunks[0]).toMatchObject({ prompt_token_ids: [1, 2] });
  const spoken = chunks.flatMap((chunk) => chunk.choices).filter((choice) => choice.delta.content);
  expect(spoken).toMatchObject([
    { delta: { content: "Ot" }, token_ids: [7], logprobs: { content: [{ token: "Ot" }] } },
    { delta: { content: "ters" }, token_ids: [8], logprobs: { content: [{ token: "ters" }] } },
    { delta: { content: "!" }, token_ids: [9], logprobs: { content: [{ token: "!" }] } },
  ]);
});

test("tool calls begin with a name and continue with their arguments", async () => {
  const calls = [
    { name: "search", arguments: '{"q":"otters"}' },
    { name: "read", arguments: "{}" },
  ];
  const completion = chatCompletion({ tool_calls: calls });
  expect(completion.choices[0]).toMatchObject({
    finish_reason: "tool_calls",
    message: { content: null },
  });
  const chunks = await readChunks(chatStream(completion, { usage: false, done: false }));
  const deltas = chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []);
  const told = new Map<number, { name: string; arguments: string }>();
  for (const delta of deltas as {
    index: number;
    function: { name?: string; arguments: string };
  }[]) {
    const call = told.get(delta.index) ?? { name: "", arguments: "" };
    call.name += delta.function.name ?? "";
    call.arguments += delta.function.arguments;
    told.set(delta.index, call);
  }
  expect([...told.values()]).toEqual(calls);
});

test("a response's events are numbered and end with the response", async () => {
  const response = responseObject({
    text: "Here they are",
    reasoning: "looking",
    refusal: "but no more",
    function_calls: [{ name: "search", arguments: '{"q":1}' }],
  });
  const events = await read(responseStream(response));
  const datas = events.map((event) => JSON.parse(event.data ?? ""));
  expect(datas.map((data) => data.type)).toEqual(events.map((event) => event.event));
  expect(datas.map((data) => data.sequence_number)).toEqual(datas.map((_, index) => index));
  expect(datas[0]).toMatchObject({
    type: "response.created",
    response: { output: [], usage: null },
  });
  expect(datas.at(-1)).toEqual({
    type: "response.completed",
    sequence_number: datas.length - 1,
    response,
  });
  const deltas = (type: string): string =>
    datas
      .filter((data) => data.type === type)
      .map((data) => data.delta)
      .join("");
  expect(deltas("response.output_text.delta")).toBe("Here they are");
  expect(deltas("response.refusal.delta")).toBe("but no more");
  expect(deltas("response.reasoning_text.delta")).toBe("looking");
  expect(deltas("response.function_call_arguments.delta")).toBe('{"q":1}');
  const done = datas.filter((data) => data.type === "response.output_item.done");
  expect(done.map((data) => data.item)).toEqual(response.output);
});

test("failed and incomplete responses say so", async () => {
  for (const status of ["failed", "incomplete"] as const) {
    const events = await read(responseStream(responseObject({ status })));
    expect(events.at(-1)?.event).toBe(`response.${status}`);
  }
});
