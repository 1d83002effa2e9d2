import { ChatAnthropic } from "@langchain/anthropic";
import { createAgent, tool } from "langchain";
import { z } from "zod";
import { add, question } from "./tool.mjs";

const open = ({ baseURL, model, apiKey }) =>
  new ChatAnthropic({ model, apiKey, anthropicApiUrl: baseURL, maxTokens: 1_000 });

export async function plain(session) {
  return (await open(session).invoke(question)).text;
}

export async function streamed(session) {
  let text = "";
  for await (const chunk of await open(session).stream(question)) text += chunk.text;
  return text;
}

/** On LangGraph. */
export async function tools(session) {
  const { name, description, run } = add;
  const schema = z.object({ a: z.number(), b: z.number() });
  const adding = tool(run, { name, description, schema });
  const agent = createAgent({ model: open(session), tools: [adding] });
  const { messages } = await agent.invoke({ messages: [{ role: "user", content: question }] });
  return messages.at(-1).text;
}
