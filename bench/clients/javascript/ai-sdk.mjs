import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { embedMany, generateText, isStepCount, streamText, tool } from "ai";
import { z } from "zod";
import { add, question, texts } from "./tool.mjs";

const open = ({ baseURL, model, apiKey }) =>
  createOpenAICompatible({ name: "session", baseURL, apiKey })(model);

export async function plain(session) {
  return (await generateText({ model: open(session), prompt: question })).text;
}

export function streamed(session) {
  return streamText({ model: open(session), prompt: question }).text;
}

export async function tools(session) {
  const inputSchema = z.object({ a: z.number(), b: z.number() });
  const adding = tool({ description: add.description, inputSchema, execute: add.run });
  const { text } = await generateText({
    model: open(session),
    prompt: question,
    tools: { add: adding },
    stopWhen: isStepCount(20),
  });
  return text;
}

export async function embeddings({ baseURL, model, apiKey }) {
  const provider = createOpenAICompatible({ name: "session", baseURL, apiKey });
  const embedder = provider.embeddingModel(model);
  return JSON.stringify((await embedMany({ model: embedder, values: texts })).embeddings);
}
