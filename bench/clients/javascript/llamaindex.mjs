import { OpenAI, OpenAIEmbedding } from "@llamaindex/openai";
import { agent } from "@llamaindex/workflow";
import { tool } from "llamaindex";
import { z } from "zod";
import { add, question, texts } from "./tool.mjs";

const open = ({ baseURL, model, apiKey }) =>
  new OpenAI({ model, apiKey, baseURL, supportToolCall: true });

export async function plain(session) {
  const { message } = await open(session).chat({ messages: [{ role: "user", content: question }] });
  return message.content;
}

export async function streamed(session) {
  const messages = [{ role: "user", content: question }];
  let text = "";
  for await (const { delta } of await open(session).chat({ messages, stream: true })) text += delta;
  return text;
}

export async function tools(session) {
  const { name, description, run } = add;
  const parameters = z.object({ a: z.number(), b: z.number() });
  const adding = tool({ name, description, parameters, execute: run });
  const { data } = await agent({ llm: open(session), tools: [adding] }).run(question);
  return data.result;
}

export async function embeddings({ baseURL, model, apiKey }) {
  const embedder = new OpenAIEmbedding({ model, apiKey, baseURL });
  return JSON.stringify(await embedder.getTextEmbeddings(texts));
}
