import Anthropic from "@anthropic-ai/sdk";
import { add, question } from "./tool.mjs";

const open = ({ baseURL, apiKey }) => new Anthropic({ baseURL, apiKey });
const request = ({ model }) => ({
  model,
  max_tokens: 1_000,
  messages: [{ role: "user", content: question }],
});
const textOf = ({ content }) => content.map(({ text = "" }) => text).join("");

export async function plain(session) {
  return textOf(await open(session).messages.create(request(session)));
}

export async function streamed(session) {
  return textOf(await open(session).messages.stream(request(session)).finalMessage());
}

export async function tools(session) {
  const { name, description, parameters, run } = add;
  const tool = { name, description, input_schema: parameters, run, parse: (input) => input };
  const runner = { ...request(session), tools: [tool] };
  return textOf(await open(session).beta.messages.toolRunner(runner));
}
