import OpenAI from "openai";
import { add, question } from "./tool.mjs";

const open = ({ baseURL, apiKey }) => new OpenAI({ baseURL, apiKey });

export async function plain(session) {
  const { model } = session;
  return (await open(session).responses.create({ model, input: question })).output_text;
}

export async function streamed(session) {
  const stream = open(session).responses.stream({ model: session.model, input: question });
  return (await stream.finalResponse()).output_text;
}

export async function tools(session) {
  const { name, description, parameters } = add;
  const tool = { type: "function", strict: true, name, description, parameters };
  const input = [{ role: "user", content: question }];
  for (;;) {
    const answer = await open(session).responses.create({
      model: session.model,
      input,
      tools: [tool],
    });
    const calls = answer.output.filter(({ type }) => type === "function_call");
    if (calls.length === 0) return answer.output_text;
    input.push(...answer.output);
    for (const { call_id, arguments: given } of calls) {
      const output = add.run(JSON.parse(given));
      input.push({ type: "function_call_output", call_id, output });
    }
  }
}
