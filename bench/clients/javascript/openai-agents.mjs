import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from "@openai/agents";
import { z } from "zod";
import { add, question } from "./tool.mjs";

// Its traces go to OpenAI, whatever the base URL.
setTracingDisabled(true);

const open = ({ baseURL, apiKey }) =>
  new Runner({ modelProvider: new OpenAIProvider({ baseURL, apiKey, useResponses: true }) });
const agent = ({ model }, tools = []) => new Agent({ name: "it", model, tools });

export async function plain(session) {
  return (await open(session).run(agent(session), question)).finalOutput;
}

export async function streamed(session) {
  const run = await open(session).run(agent(session), question, { stream: true });
  await run.completed;
  return run.finalOutput;
}

export async function tools(session) {
  const { name, description, run } = add;
  const parameters = z.object({ a: z.number(), b: z.number() });
  const adding = tool({ name, description, parameters, execute: run });
  return (await open(session).run(agent(session, [adding]), question)).finalOutput;
}
