// An agent for tests, controlled by env_params.
//   steps: number of requests (1); random: identifies itself by a random id; fail: exits with 3;
//   wait: continues once the file `go` exists
import { existsSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";

const request = JSON.parse(await text(process.stdin));
const { steps = 1, fail = false, wait = false, random = false } = request.env_params ?? {};
const headers = {
  "content-type": "application/json",
  authorization: `Bearer ${request.llm_api_key}`,
};
for (let step = 1; step <= steps; step += 1) {
  const messages = [{ role: "user", content: `${step} + ${step}` }];
  const metadata = random ? { user_id: request.session_id } : undefined;
  const body = JSON.stringify({ model: request.llm_model, messages, metadata });
  const url = `${request.llm_base_url}/chat/completions`;
  const answer = await fetch(url, { method: "POST", headers, body });
  if (!answer.ok && random) throw new Error(await answer.text());
}
if (wait) {
  writeFileSync(`running-${request.simulation_id}`, String(process.pid));
  while (!existsSync("go")) await setTimeout(20);
}
if (fail && request.attempt <= fail) {
  console.error("the agent\nlost its way");
  process.exit(3);
}
const key = request.llm_api_key === null ? "none" : request.llm_api_key.slice(0, 5);
console.log(JSON.stringify({ status: "completed", total_reward: steps, metrics: { key } }));
