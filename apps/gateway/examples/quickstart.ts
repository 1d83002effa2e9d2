// A first session with the official client, whose base URL is the session's URL.
import assert from "node:assert/strict";
import OpenAI from "openai";

const gateway = process.env.GATEWAY_URL ?? "http://127.0.0.1:8000";
const session = `${gateway}/v1/sessions/quickstart-${Date.now()}`;

const openai = new OpenAI({ baseURL: session, apiKey: "none" });
const answer = await openai.chat.completions.create({
  model: "demo",
  messages: [{ role: "user", content: "What is 6 * 7?" }],
});
assert.match(answer.choices[0]?.message.content ?? "", /42/);

const closing = await fetch(`${session}/close?wait=10`, { method: "POST" });
assert.equal(((await closing.json()) as { status: string }).status, "closed");

const stored = await fetch(`${session}/steps`);
const { steps } = (await stored.json()) as { steps: { messages: string; response: string }[] };
assert.equal(steps.length, 1);
console.log(steps[0]?.messages, "→", answer.choices[0]?.message.content);
