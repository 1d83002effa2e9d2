import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { expect, test } from "vitest";
import { startStopServer, stopText } from "./synthetic-stop-server.ts";

const tools = {
  act: tool({
    description: "acts",
    inputSchema: jsonSchema({ type: "object", properties: {} }),
    execute: async () => "acted",
  }),
};

test("generateText ends an agent's loop at the stop", async () => {
  await using server = await startStopServer();
  const provider = createOpenAICompatible({ name: "gateway", baseURL: server.url });
  const result = await generateText({
    model: provider("a"),
    prompt: "go on",
    tools,
    stopWhen: stepCountIs(5),
    maxRetries: 0,
  });
  expect(result.text).toBe(stopText);
  expect(result.finishReason).toBe("stop");
  expect(result.steps).toHaveLength(1);
});

test("streamText", async () => {
  await using server = await startStopServer();
  const provider = createOpenAICompatible({
    name: "gateway",
    baseURL: server.url,
    includeUsage: true,
  });
  const errors: unknown[] = [];
  const result = streamText({
    model: provider("a"),
    prompt: "go on",
    tools,
    maxRetries: 0,
    onError: ({ error }) => void errors.push(error),
  });
  expect(await result.text).toBe(stopText);
  expect(await result.finishReason).toBe("stop");
  expect((await result.usage).totalTokens).toBe(0);
  expect(errors).toEqual([]);
});
