import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { z } from "zod";
import { add, question } from "./tool.mjs";

const open = ({ baseURL, model, apiKey }, tools = {}) =>
  new Agent({
    id: "it",
    name: "it",
    instructions: "Be brief.",
    model: createOpenAICompatible({ name: "session", baseURL, apiKey })(model),
    tools,
  });

export async function plain(session) {
  return (await open(session).generate(question)).text;
}

export async function streamed(session) {
  return await (await open(session).stream(question)).text;
}

export async function tools(session) {
  const inputSchema = z.object({ a: z.number(), b: z.number() });
  const adding = createTool({
    id: "add",
    description: add.description,
    inputSchema,
    execute: async (input) => add.run(input.context ?? input),
  });
  const { text } = await open(session, { add: adding }).generate(question, { maxSteps: 20 });
  return text;
}
