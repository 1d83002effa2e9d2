import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { type Api, apis, startAsking } from "./asking.ts";

const { engine, ask } = startAsking();

const refusals: readonly [string, object, number, string][] = [
  ["with its status", { code: 400, type: "BadRequestError" }, 400, "Bad grammar."],
  ["in its first event", { code: 400, type: "BadRequestError" }, 200, "Bad grammar."],
  ["in its first event, as its own fault", { code: 500 }, 200, "Out of memory."],
];

test.each(refusals)(
  "what the engine refuses %s is refused",
  async (_when, error, status, message) => {
    for (const api of Object.keys(apis) as Api[])
      for (const stream of [false, true]) {
        engine().script(async (_request, reply) => {
          if (status !== 200) return void reply.json({ error: { ...error, message } }, { status });
          await reply.startEvents();
          await reply.write(`data: ${JSON.stringify({ error: { message, ...error } })}\n\n`);
          await reply.write("data: [DONE]\n\n");
          await reply.end();
        });
        const answer = await ask(api, api === "content" ? {} : { stream });
        const expected = "code" in error ? error.code : status;
        expect(answer.recorded).toBe(answer.status);
        expect([answer.status, answer.text]).toEqual([expected, expect.stringContaining(message)]);
      }
  },
);

/** What each API's agents know a full context by, in tokens of the prompt and of the answer. */
const overflows: Readonly<Record<Api, readonly [string, string]>> = {
  chat: [
    "maximum context length is 8192 tokens. However, your messages resulted in 24014 tokens",
    "you requested 24114 tokens (24014 in the messages, 100 in the completion)",
  ],
  responses: ["context_length_exceeded", "context_length_exceeded"],
  messages: [
    '"prompt is too long: 24014 tokens > 8192 maximum"',
    "input length and `max_tokens` exceed context limit: 24014 + 100 > 8192",
  ],
  content: [
    "The input token count (24014) exceeds the maximum number of tokens allowed (8192).",
    "(24114) exceeds the maximum number of tokens allowed (8192).",
  ],
};

test.each([
  ["Input length (24014) exceeds model's maximum context length (8192).", 0],
  [
    "This model's maximum context length is 8192 tokens. However, your prompt contains at least 24014 input tokens, which exceeds this limit even without any output tokens.",
    0,
  ],
  ["The input (24014 tokens) is longer than the model's context length (8192 tokens).", 0],
  [
    "Requested token count exceeds the model's maximum context length of 8192 tokens. You requested a total of 24114 tokens: 24014 tokens from the input messages and 100 tokens for the completion.",
    1,
  ],
])("agents are told in their API's words: %s", async (message, form) => {
  for (const api of Object.keys(apis) as Api[]) {
    engine().script((_request, reply) => void reply.json({ error: { message } }, { status: 400 }));
    const { status, text } = await ask(api, {});
    expect([status, text]).toEqual([400, expect.stringContaining(overflows[api][form] ?? "")]);
  }
});

test("a response that is streamed fails where the context is full, as agents expect it", async () => {
  const message = "max_tokens=100000 cannot be greater than max_model_len=8192.";
  engine().script((_request, reply) => void reply.json({ error: { message } }, { status: 400 }));
  const { status, text } = await ask("responses", { stream: true });
  const last = JSON.parse(text.trim().split("data: ").at(-1) ?? "");
  expect([status, last]).toMatchObject([
    200,
    {
      type: "response.failed",
      response: { status: "failed", error: { code: "context_length_exceeded" }, output: [] },
    },
  ]);
});

test("an engine that renders no prompt that long has refused the step", async () => {
  const llm_routes = { policy: { base_url: engine().url, engine: "vllm" } };
  await using rendering = await startGateway({ llm_routes });
  const message =
    "This model's maximum context length is 8192 tokens. However, your prompt contains 24014 input tokens.";
  engine().script((_request, reply) => void reply.json({ error: { message } }, { status: 400 }));
  const answer = await rendering.post("/v1/sessions/s/messages", apis.messages.base);
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining("prompt is too long: 24014 tokens > 8192 maximum"),
  ]);
  expect(rendering.steps("s").map(({ status_code }) => status_code)).toEqual([400]);
});
