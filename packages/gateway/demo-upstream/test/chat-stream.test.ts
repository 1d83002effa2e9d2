import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { start } from "./start.ts";

const run = promisify(execFile);

const messages = [{ role: "user" as const, content: "Tell me about otters" }];

test("the helper assembles the stream into the plain request's answer", async () => {
  const { client } = await start();
  const body = { model: "a", messages, logprobs: true, n: 2 };
  const plain = await client.chat.completions.create(body);
  const stream = client.chat.completions.stream(body);
  const { choices } = await stream.finalChatCompletion();
  for (const [index, choice] of plain.choices.entries()) {
    expect(choices[index]?.message.content).toBe(choice.message.content);
    expect(choices[index]?.finish_reason).toBe(choice.finish_reason);
    expect(choices[index]?.logprobs?.content).toEqual(choice.logprobs?.content);
  }
});

test("a stream has one token per chunk, and usage only on request", async () => {
  const { client } = await start();
  const body = { model: "a", messages, stream: true } as const;
  const chunks = [];
  for await (const chunk of await client.chat.completions.create(body)) chunks.push(chunk);
  expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(1);
  expect(chunks.every((chunk) => !chunk.usage && chunk.choices.length === 1)).toBe(true);
  expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("stop");

  const plain = await client.chat.completions.create({ model: "a", messages });
  const counted = [];
  const options = { stream_options: { include_usage: true } };
  for await (const chunk of await client.chat.completions.create({ ...body, ...options }))
    counted.push(chunk);
  expect(counted).toHaveLength(chunks.length + 1);
  expect(counted.at(-1)).toMatchObject({ choices: [], usage: plain.usage });
  expect(counted[0]).toHaveProperty("usage", null);
});

test("token ids are spread over the chunks, the prompt's first", async () => {
  const { url } = await start();
  const ask = async (more: object): Promise<string> => {
    const body = JSON.stringify({ model: "a", messages, return_token_ids: true, ...more });
    return (await fetch(`${url}/chat/completions`, { method: "POST", body })).text();
  };
  const plain = JSON.parse(await ask({}));
  const text = await ask({ stream: true });
  const events = text.split("\n\n").filter((event) => event !== "");
  expect(events.pop()).toBe("data: [DONE]");
  const chunks = events.map((event) => JSON.parse(event.slice("data: ".length)));
  expect(chunks[0].prompt_token_ids).toEqual(plain.prompt_token_ids);
  expect(chunks.flatMap((chunk) => chunk.choices[0].token_ids ?? [])).toEqual(
    plain.choices[0].token_ids,
  );
});

test("a caller that leaves mid-stream leaves no timer behind", async () => {
  const script = `
    import { startDemoUpstream } from "@proj/demo-upstream";
    const upstream = await startDemoUpstream({ tokenDelayMs: 600_000 });
    const body = JSON.stringify(${JSON.stringify({ model: "a", messages, stream: true })});
    const response = await fetch(upstream.url + "/chat/completions", { method: "POST", body });
    const reader = response.body.getReader();
    await reader.read();
    await reader.cancel();
    await upstream.close();
    console.log("closed");
  `;
  const options = ["--conditions=@proj/source", "--input-type=module", "--eval", script];
  // The time-out kills the process if a timer of ten minutes keeps it alive.
  const { stdout } = await run(process.execPath, options, {
    cwd: import.meta.dirname,
    timeout: 45_000,
  });
  expect(stdout).toBe("closed\n");
});
