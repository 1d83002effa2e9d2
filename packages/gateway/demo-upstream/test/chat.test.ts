import { expect, test } from "vitest";
import { start } from "./start.ts";

const messages = [{ role: "user" as const, content: "Tell me about otters" }];

test("answers the last user message", async () => {
  const { client } = await start();
  const completion = await client.chat.completions.create({ model: "any", messages });
  expect(completion.object).toBe("chat.completion");
  expect(completion.model).toBe("any");
  expect(completion.choices).toHaveLength(1);
  expect(completion.choices[0]).toMatchObject({
    index: 0,
    finish_reason: "stop",
    message: { role: "assistant", content: "You said: Tell me about otters", refusal: null },
  });
  const usage = completion.usage;
  expect(usage?.completion_tokens).toBeGreaterThan(0);
  expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0));
});

test("solves sums and reads content parts", async () => {
  const { client } = await start();
  const completion = await client.chat.completions.create({
    model: "any",
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "text", text: "What is 19 + 23?" }] },
    ],
  });
  expect(completion.choices[0]?.message.content).toBe("19 + 23 = 42");
});

test("the same body gives the same answer, another body another id", async () => {
  const { client } = await start();
  const ask = (model: string) =>
    client.chat.completions.create({ model, messages, temperature: 1 });
  const [first, again, other] = [await ask("a"), await ask("a"), await ask("b")];
  expect({ ...again, created: 0 }).toEqual({ ...first, created: 0 });
  expect(again._request_id).not.toBe(first._request_id);
  expect(other.id).not.toBe(first.id);
});

test("max_tokens and max_completion_tokens cut the answer", async () => {
  const { client } = await start();
  for (const limit of [{ max_tokens: 2 }, { max_completion_tokens: 2 }]) {
    const { choices, usage } = await client.chat.completions.create({
      model: "a",
      messages,
      ...limit,
    });
    expect(choices[0]?.finish_reason).toBe("length");
    expect(choices[0]?.message.content).toBe("You said");
    expect(usage?.completion_tokens).toBe(2);
  }
});

test("stop ends the answer before the stop sequence", async () => {
  const { client } = await start();
  const ask = (stop: string | string[]) =>
    client.chat.completions.create({ model: "a", messages, stop });
  const one = await ask(" about");
  expect(one.choices[0]).toMatchObject({
    finish_reason: "stop",
    message: { content: "You said: Tell me" },
  });
  const several = await ask(["otters", " me"]);
  expect(several.choices[0]?.message.content).toBe("You said: Tell");
});

test("n returns several different choices", async () => {
  const { client } = await start();
  const { choices } = await client.chat.completions.create({ model: "a", messages, n: 3 });
  expect(choices.map((choice) => choice.index)).toEqual([0, 1, 2]);
  expect(new Set(choices.map((choice) => choice.message.content)).size).toBe(3);
});

test("log probabilities belong to the tokens of the text", async () => {
  const { client } = await start();
  const ask = () =>
    client.chat.completions.create({ model: "a", messages, logprobs: true, top_logprobs: 2 });
  const [choice] = (await ask()).choices;
  const content = choice?.logprobs?.content ?? [];
  expect(content.map((entry) => entry.token).join("")).toBe(choice?.message.content);
  for (const entry of content) {
    expect(entry.logprob).toBeLessThanOrEqual(0);
    expect(entry.top_logprobs).toHaveLength(2);
    expect(entry.top_logprobs[0]?.token).toBe(entry.token);
    expect(Buffer.from(entry.bytes ?? []).toString()).toBe(entry.token);
  }
  expect((await ask()).choices[0]?.logprobs).toEqual(choice?.logprobs);
});

test("a JSON schema is answered with JSON that fits it", async () => {
  const { client } = await start();
  const schema = {
    type: "object",
    properties: {
      animal: { $ref: "#/$defs/name" },
      count: { type: "integer", minimum: 5 },
      kind: { enum: ["wild", "tame"] },
      tags: { type: "array", items: { type: "string", maxLength: 3 }, minItems: 2 },
      born: { anyOf: [{ type: "string", format: "date" }, { type: "null" }] },
      left_out: { type: "string" },
    },
    required: ["animal", "count", "kind", "tags", "born"],
    $defs: { name: { type: ["string", "null"] } },
  };
  const completion = await client.chat.completions.parse({
    model: "a",
    messages,
    response_format: { type: "json_schema", json_schema: { name: "report", schema, strict: true } },
  });
  expect(completion.choices[0]?.message.parsed).toEqual({
    animal: "You said: Tell me about otters",
    count: 5,
    kind: "wild",
    tags: ["You", "You"],
    born: "2026-01-01",
  });
});

test("a schema that contains itself ends", async () => {
  const { client } = await start();
  const names = Array.from({ length: 20 }, (_, index) => `p${index}`);
  const schema = {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { $ref: "#" }])),
  };
  const { choices } = await client.chat.completions.create({
    model: "a",
    messages,
    response_format: { type: "json_schema", json_schema: { name: "tree", schema } },
  });
  const content = choices[0]?.message.content ?? "";
  expect(Object.keys(JSON.parse(content))).toEqual(names);
  expect(content.length).toBeLessThan(100_000);
});

test("return_token_ids returns ids of the prompt and of each choice", async () => {
  const { client, url } = await start();
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "a", messages, return_token_ids: true }),
  });
  const body = JSON.parse(await response.text());
  expect(body.prompt_token_ids).toHaveLength(body.usage.prompt_tokens);
  expect(body.choices[0].token_ids).toHaveLength(body.usage.completion_tokens);
  const plain = await client.chat.completions.create({ model: "a", messages });
  expect(plain).not.toHaveProperty("prompt_token_ids");
});

test("lists its models", async () => {
  const { client } = await start({ models: ["small", "large"] });
  const names = [];
  for await (const model of client.models.list()) names.push(model.id);
  expect(names).toEqual(["small", "large"]);
});
