import { expect, test } from "vitest";
import { start } from "./start.ts";

test("answers the input and echoes the request's members", async () => {
  const { client } = await start();
  const response = await client.responses.create({
    model: "a",
    input: "Tell me about otters",
    instructions: "Be brief.",
    metadata: { run: "7" },
    temperature: 0.5,
  });
  expect(response).toMatchObject({
    object: "response",
    status: "completed",
    output_text: "You said: Tell me about otters",
    instructions: "Be brief.",
    metadata: { run: "7" },
    temperature: 0.5,
    top_p: 1,
    tools: [],
    error: null,
    incomplete_details: null,
  });
  const { usage } = response;
  expect(usage?.total_tokens).toBe((usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0));
  expect(usage?.output_tokens).toBeGreaterThan(0);
});

test("a stream's events are numbered and end in the plain answer", async () => {
  const { client } = await start();
  const body = { model: "a", input: [{ role: "user" as const, content: "What is 7 - 9?" }] };
  const plain = await client.responses.create(body);
  const events = [];
  for await (const event of await client.responses.create({ ...body, stream: true }))
    events.push(event);
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
  const last = events.at(-1);
  if (last?.type !== "response.completed") throw new Error(`ended with ${last?.type}`);
  expect(last.response.output).toMatchObject([{ content: [{ text: "7 - 9 = -2" }] }]);
  expect(last.response.usage).toEqual(plain.usage);

  const stream = client.responses.stream(body);
  const deltas: string[] = [];
  stream.on("response.output_text.delta", (event) => deltas.push(event.delta));
  const final = await stream.finalResponse();
  expect(final.output_text).toBe(plain.output_text);
  expect(deltas.join("")).toBe(plain.output_text);
});

test("max_output_tokens leaves the answer incomplete", async () => {
  const { client } = await start();
  const body = { model: "a", input: "hello there", max_output_tokens: 2 };
  const plain = await client.responses.create(body);
  expect(plain).toMatchObject({
    status: "incomplete",
    incomplete_details: { reason: "max_output_tokens" },
    output_text: "You said",
  });
  const types = [];
  for await (const event of await client.responses.create({ ...body, stream: true }))
    types.push(event.type);
  expect(types.at(-1)).toBe("response.incomplete");
});

test("structured output and log probabilities", async () => {
  const { client } = await start();
  const parsed = await client.responses.parse({
    model: "a",
    input: "hello",
    text: {
      format: {
        type: "json_schema",
        name: "yes",
        strict: true,
        schema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
      },
    },
  });
  expect(parsed.output_parsed).toEqual({ ok: true });

  const response = await client.responses.create({
    model: "a",
    input: "hello",
    include: ["message.output_text.logprobs"],
    top_logprobs: 1,
  });
  const item = response.output[0];
  const part = item?.type === "message" ? item.content[0] : undefined;
  if (part?.type !== "output_text") throw new Error("no text");
  expect(part.logprobs?.map((entry) => entry.token).join("")).toBe(part.text);
});
