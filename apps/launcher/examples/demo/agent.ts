// An agent: it asks the model, makes the calls that the model asks for, and reports the result at the end.
import { text } from "node:stream/consumers";
import OpenAI from "openai";

const facts = new Map([
  ["France", "Paris"],
  ["Cairo", "the Nile"],
]);
const tools: OpenAI.ChatCompletionTool[] = [
  {
    type: "function",
    function: {
      name: "look_up",
      description: "Looks up a fact.",
      parameters: { type: "object", properties: { query: { type: "string" } } },
    },
  },
];

const request = JSON.parse(await text(process.stdin)); // the start request
const openai = new OpenAI({ baseURL: request.llm_base_url, apiKey: request.llm_api_key ?? "none" });
const messages: OpenAI.ChatCompletionMessageParam[] = [
  { role: "system", content: "Answer in one sentence, and look up what you do not know." },
  { role: "user", content: request.env_params.question },
];
let step_count = 0;
let answer: string | null = null;
while (answer === null && step_count < 10) {
  const { choices } = await openai.chat.completions.create({
    model: request.llm_model,
    messages,
    tools,
  });
  step_count += 1;
  const { message } = choices[0] ?? {};
  if (message === undefined) throw new Error("the model said nothing");
  messages.push(message);
  for (const call of message.tool_calls ?? []) {
    const query = call.type === "function" ? call.function.arguments : "";
    const [, content = "nothing is known"] = [...facts].find(([key]) => query.includes(key)) ?? [];
    messages.push({ role: "tool", tool_call_id: call.id, content });
  }
  if (message.tool_calls === undefined) answer = message.content ?? "";
}
// The last line on standard output is the result.
console.log(JSON.stringify({ status: "completed", step_count, metrics: { answer } }));
