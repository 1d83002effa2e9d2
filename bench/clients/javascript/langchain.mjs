import { ChatOpenAI, OpenAIEmbeddings } from "@langchain/openai";
import { callsOf } from "./langchain-calls.mjs";
import { texts } from "./tool.mjs";

export const { plain, streamed, tools } = callsOf(
  ({ baseURL, model, apiKey }) => new ChatOpenAI({ model, apiKey, configuration: { baseURL } }),
);

export async function embeddings({ baseURL, model, apiKey }) {
  const embedder = new OpenAIEmbeddings({ model, apiKey, configuration: { baseURL } });
  return JSON.stringify(await embedder.embedDocuments(texts));
}
