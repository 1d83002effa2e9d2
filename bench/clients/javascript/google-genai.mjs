import { GoogleGenAI } from "@google/genai";
import { add, question } from "./tool.mjs";

const open = ({ baseURL, apiKey }) =>
  new GoogleGenAI({ apiKey, httpOptions: { baseUrl: baseURL } });
const request = ({ model }) => ({ model, contents: question });

export async function plain(session) {
  return (await open(session).models.generateContent(request(session))).text;
}

export async function streamed(session) {
  let text = "";
  for await (const chunk of await open(session).models.generateContentStream(request(session)))
    text += chunk.text ?? "";
  return text;
}

export async function tools(session) {
  const { name, description, parameters: parametersJsonSchema, run } = add;
  const tool = {
    tool: async () => ({ functionDeclarations: [{ name, description, parametersJsonSchema }] }),
    callTool: async (calls) =>
      Promise.all(
        calls.map(async ({ id, name, args }) => {
          return { functionResponse: { id, name, response: { output: await run(args) } } };
        }),
      ),
  };
  const config = { tools: [tool] };
  return (await open(session).models.generateContent({ ...request(session), config })).text;
}
