import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { type DemoUpstream, startDemoUpstream } from "@proj/test-kit";
import { APICallError, generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";

// The AI SDK with its provider for compatible servers, unmodified, joins a session by its base URL.

let upstream: DemoUpstream;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await startDemoUpstream();
  gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

function model(session_id: string, name = "demo") {
  const baseURL = gateway.sessionUrl(session_id);
  return createOpenAICompatible({ name: "gateway", baseURL, includeUsage: true })(name);
}

const prompt = "What is 19 + 23?";
const added: number[] = [];
const tools = {
  add: tool({
    description: "adds",
    inputSchema: jsonSchema<{ a: number; b: number }>({
      type: "object",
      properties: { a: { type: "integer" }, b: { type: "integer" } },
      required: ["a", "b"],
    }),
    execute: async ({ a, b }) => {
      added.push(a + b);
      return a + b;
    },
  }),
};

/** From the session's rows: status and finish reason of each step, and whether it was streamed. */
function recorded(session_id: string): unknown[] {
  return gateway
    .steps(session_id)
    .map(({ status_code, meta }) => [status_code, meta.finish_reason, meta.is_stream]);
}

test("generateText", async () => {
  const result = await generateText({ model: model("plain"), prompt, maxRetries: 0 });
  expect(result.text).toContain("42");
  expect(result.finishReason).toBe("stop");
  expect(result.usage.totalTokens).toBeGreaterThan(0);
  expect(result.response.headers?.["x-gateway-step-id"]).toBe("1");
  expect(recorded("plain")).toEqual([[200, "stop", false]]);
});

test("streamText, with usage", async () => {
  const errors: unknown[] = [];
  const result = streamText({
    model: model("streamed"),
    prompt,
    maxRetries: 0,
    onError: ({ error }) => void errors.push(error),
  });
  const pieces: string[] = [];
  for await (const piece of result.textStream) pieces.push(piece);
  expect(pieces.join("")).toContain("42");
  expect(pieces.length).toBeGreaterThan(1);
  expect(await result.finishReason).toBe("stop");
  expect((await result.usage).totalTokens).toBeGreaterThan(0);
  expect(errors).toEqual([]);
  expect(recorded("streamed")).toEqual([[200, "stop", true]]);
  const [row] = gateway.steps("streamed");
  expect(JSON.parse(row?.response ?? "")).toMatchObject({
    choices: [{ message: { content: pieces.join("") } }],
  });
});

test("tools: an agent's loop is one session, with one step per call", async () => {
  added.length = 0;
  const result = await generateText({
    model: model("agent"),
    prompt,
    tools,
    stopWhen: stepCountIs(10),
    maxRetries: 0,
  });
  expect(result.steps).toHaveLength(4);
  expect(result.text).toContain("After 3 tool calls");
  expect(added).toHaveLength(3);
  const call = [200, "tool_calls", false];
  expect(recorded("agent")).toEqual([call, call, call, [200, "stop", false]]);
});

test("tools, streamed", async () => {
  added.length = 0;
  const result = streamText({
    model: model("streamed-agent"),
    prompt,
    tools,
    stopWhen: stepCountIs(10),
    maxRetries: 0,
  });
  expect(await result.text).toContain("After 3 tool calls");
  expect(added).toHaveLength(3);
  const call = [200, "tool_calls", true];
  expect(recorded("streamed-agent")).toEqual([call, call, call, [200, "stop", true]]);
});

test("a gateway error is an APICallError that says whether to retry", async () => {
  const asking = generateText({ model: model("wrong", "dema"), prompt });
  const error: unknown = await asking.catch((reason: unknown) => reason);
  if (!APICallError.isInstance(error)) throw new Error("an APICallError was expected");
  expect(error.statusCode).toBe(404);
  expect(error.isRetryable).toBe(false);
  expect(error.message).toContain("'dema'");
});
