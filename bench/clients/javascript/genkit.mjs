import { openAICompatible } from "@genkit-ai/compat-oai";
import { genkit, z } from "genkit";
import { add, question } from "./tool.mjs";

const open = ({ baseURL, apiKey }) =>
  genkit({ plugins: [openAICompatible({ name: "session", apiKey, baseURL })] });
const modelOf = ({ model }) => `session/${model}`;

export async function plain(session) {
  return (await open(session).generate({ model: modelOf(session), prompt: question })).text;
}

export async function streamed(session) {
  const request = { model: modelOf(session), prompt: question };
  return (await open(session).generateStream(request).response).text;
}

export async function tools(session) {
  const ai = open(session);
  const { name, description, run } = add;
  const inputSchema = z.object({ a: z.number(), b: z.number() });
  const adding = ai.defineTool({ name, description, inputSchema, outputSchema: z.string() }, run);
  const request = { model: modelOf(session), prompt: question, tools: [adding], maxTurns: 20 };
  return (await ai.generate(request)).text;
}
