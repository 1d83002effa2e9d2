import OpenAI from "openai";
import { add, question, texts } from "./tool.mjs";

const messages = [{ role: "user", content: question }];
const open = ({ baseURL, apiKey }) => new OpenAI({ baseURL, apiKey });

export async function plain(session) {
  const { model } = session;
  const answer = await open(session).chat.completions.create({ model, messages });
  return answer.choices[0].message.content;
}

export function streamed(session) {
  return open(session).chat.completions.stream({ model: session.model, messages }).finalContent();
}

export function tools(session) {
  const { name, description, parameters, run } = add;
  const definition = { name, description, parameters, function: run, parse: JSON.parse };
  return open(session)
    .chat.completions.runTools({
      model: session.model,
      messages,
      tools: [{ type: "function", function: definition }],
    })
    .finalContent();
}

/** In base64, which it decodes. */
export async function embeddings(session) {
  const { data } = await open(session).embeddings.create({ model: session.model, input: texts });
  return JSON.stringify(data.map(({ embedding }) => embedding));
}
