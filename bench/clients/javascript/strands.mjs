import { Agent, tool } from "@strands-agents/sdk";
import { OpenAIModel } from "@strands-agents/sdk/models/openai";
import { z } from "zod";
import { add, question } from "./tool.mjs";

const open = ({ baseURL, model, apiKey }, tools = []) =>
  new Agent({
    model: new OpenAIModel({ api: "chat", modelId: model, apiKey, clientConfig: { baseURL } }),
    tools,
    printer: false,
  });

/** It always streams. */
export async function streamed(session) {
  return (await open(session).invoke(question)).toString();
}

export async function tools(session) {
  const { name, description, run } = add;
  const inputSchema = z.object({ a: z.number(), b: z.number() });
  const adding = tool({ name, description, inputSchema, callback: run });
  return (await open(session, [adding]).invoke(question)).toString();
}
