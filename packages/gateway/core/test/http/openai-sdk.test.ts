import { type DemoUpstream, startDemoUpstream } from "@proj/test-kit";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";

// The official client, unmodified: only its base URL says what it joins.

let upstream: DemoUpstream;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await startDemoUpstream();
  gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url }, "org/other": { base_url: upstream.url } },
  });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

function client(baseURL: string): OpenAI {
  return new OpenAI({ baseURL, apiKey: "unused", maxRetries: 0 });
}

const messages = [{ role: "user" as const, content: "What is 19 + 23?" }];
const addTool = {
  name: "add",
  description: "adds",
  parameters: {
    type: "object",
    properties: { a: { type: "integer" }, b: { type: "integer" } },
    required: ["a", "b"],
    additionalProperties: false,
  },
};

describe.each(["a session", "no session"])("with the base URL of %s", (which) => {
  const isBound = which === "a session";
  let session = 0;
  const open = (): { openai: OpenAI; session_id: string } => {
    const session_id = `sdk-${++session}`;
    return {
      openai: client(isBound ? gateway.sessionUrl(session_id) : `${gateway.url}/v1`),
      session_id,
    };
  };
  /** What the session recorded: status and finish reason of each step. */
  const recorded = (session_id: string): unknown[] =>
    gateway.steps(session_id).map(({ status_code, meta }) => [status_code, meta.finish_reason]);

  test("models.list names the routes", async () => {
    const { openai } = open();
    const ids = [];
    for await (const { id } of openai.models.list()) ids.push(id);
    expect(ids).toEqual(["demo", "org/other"]);
  });

  test("chat.completions.create, plain, with its request id", async () => {
    const { openai, session_id } = open();
    const { data, response, request_id } = await openai.chat.completions
      .create({ model: "demo", messages })
      .withResponse();
    expect(data.choices[0]?.message.content).toContain("42");
    expect(data.choices[0]?.finish_reason).toBe("stop");
    expect(data.usage?.total_tokens).toBeGreaterThan(0);
    expect(request_id).toBe(response.headers.get("x-request-id"));
    expect(response.headers.get("x-gateway-step-id")).toBe(isBound ? "1" : null);
    if (isBound) expect(recorded(session_id)).toEqual([[200, "stop"]]);
  });

  test("chat.completions.create, streamed, is recorded like an unstreamed one", async () => {
    const { openai, session_id } = open();
    let text = "";
    const stream = await openai.chat.completions.create({ model: "demo", messages, stream: true });
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
    expect(text).toContain("42");
    if (!isBound) return;
    const [row] = gateway.steps(session_id);
    expect(row?.status_code).toBe(200);
    expect(JSON.parse(row?.response ?? "")).toMatchObject({
      object: "chat.completion",
      choices: [{ message: { content: text }, finish_reason: "stop" }],
    });
  });

  test("chat.completions.stream, with usage and several choices", async () => {
    const { openai } = open();
    const stream = openai.chat.completions.stream({
      model: "demo",
      messages,
      n: 2,
      stream_options: { include_usage: true },
    });
    const completion = await stream.finalChatCompletion();
    expect(completion.choices.map(({ message }) => message.content)).toEqual([
      expect.stringContaining("42"),
      expect.stringContaining("choice 2"),
    ]);
    expect((await stream.totalUsage()).total_tokens).toBeGreaterThan(0);
  });

  test.each([false, true])(
    "chat.completions.runTools completes its rounds, stream: %s",
    async (stream) => {
      const { openai, session_id } = open();
      let calls = 0;
      const add = {
        type: "function" as const,
        function: {
          ...addTool,
          parse: JSON.parse,
          function: ({ a, b }: { a: number; b: number }) => {
            calls += 1;
            return String(a + b);
          },
        },
      };
      const runner = stream
        ? openai.chat.completions.runTools({ model: "demo", messages, tools: [add], stream })
        : openai.chat.completions.runTools({ model: "demo", messages, tools: [add] });
      expect(await runner.finalContent()).toContain("After 3 tool calls");
      expect(calls).toBe(3);
      if (!isBound) return;
      const toolStep = [200, "tool_calls"];
      expect(recorded(session_id)).toEqual([toolStep, toolStep, toolStep, [200, "stop"]]);
    },
  );

  test("chat.completions.parse, with a schema", async () => {
    const { openai } = open();
    const completion = await openai.chat.completions.parse({
      model: "demo",
      messages,
      response_format: {
        type: "json_schema",
        json_schema: { name: "sum", strict: true, schema: addTool.parameters },
      },
    });
    expect(JSON.parse(completion.choices[0]?.message.content ?? "")).toHaveProperty("a");
  });

  test("responses.create, plain", async () => {
    const { openai, session_id } = open();
    const response = await openai.responses.create({ model: "demo", input: "What is 19 + 23?" });
    expect(response.output_text).toContain("42");
    expect(response.status).toBe("completed");
    if (!isBound) return;
    const [row] = gateway.steps(session_id);
    expect(row).toMatchObject({ status_code: 200, messages: '"What is 19 + 23?"' });
    expect(row?.meta.endpoint).toBe("responses");
  });

  test("responses.create, streamed, is recorded as the response that it ends with", async () => {
    const { openai, session_id } = open();
    const body = { model: "demo", input: "What is 19 + 23?", stream: true } as const;
    let last: OpenAI.Responses.ResponseStreamEvent | undefined;
    for await (const event of await openai.responses.create(body)) last = event;
    if (last?.type !== "response.completed") throw new Error(`it ended with ${last?.type}`);
    expect(last.response.output[0]).toMatchObject({ type: "message", status: "completed" });
    if (!isBound) return;
    const [row] = gateway.steps(session_id);
    expect(row?.status_code).toBe(200);
    expect(JSON.parse(row?.response ?? "")).toEqual(last.response);
  });

  test("responses.stream, with a function call", async () => {
    const { openai } = open();
    const tools = [{ type: "function" as const, strict: true, ...addTool }];
    const stream = openai.responses.stream({ model: "demo", input: "What is 19 + 23?", tools });
    const response = await stream.finalResponse();
    expect(response.output).toMatchObject([{ type: "function_call", name: "add" }]);
  });
});
