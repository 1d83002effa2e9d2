import { text } from "node:stream/consumers";
import OpenAI from "openai";

const request = JSON.parse(await text(process.stdin));
const openai = new OpenAI({ baseURL: request.llm_base_url, apiKey: request.llm_api_key ?? "none" });
const answer = await openai.chat.completions.create({
  model: request.llm_model,
  messages: [{ role: "user", content: request.env_params.question }],
});
const said = answer.choices[0]?.message.content ?? "";
const total_reward = said.includes(request.env_params.answer) ? 1 : 0;
console.log(JSON.stringify({ status: "completed", total_reward }));
