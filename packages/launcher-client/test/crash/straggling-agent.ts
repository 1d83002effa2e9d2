/**
 * An agent that outlives its launcher: `straggling-agent.ts CONTROL`. Between two steps it asks `CONTROL`
 * for its attempt, and goes on when it is answered; then it reports how its second step was answered.
 */
import { text } from "node:stream/consumers";

const control = process.argv[2] ?? "";
const { attempt, llm_base_url, llm_model } = JSON.parse(await text(process.stdin));

async function takeStep(): Promise<number> {
  const { status } = await fetch(`${llm_base_url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: llm_model, messages: [{ role: "user", content: "19 + 23" }] }),
  });
  return status;
}

await takeStep();
await fetch(`${control}/${attempt}`);
await fetch(`${control}/${attempt}/${await takeStep()}`);
console.log(JSON.stringify({ status: "completed" }));
