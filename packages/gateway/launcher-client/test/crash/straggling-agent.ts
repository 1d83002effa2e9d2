/**
 * An agent that outlives its launcher: `straggling-agent.ts CONTROL`. Between two steps it sends its attempt to
 * `CONTROL` and waits for an answer; then it reports the answer to its second step. It hides from the guardian in its
 * own session, without the mark.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { markVariable } from "../../src/child-process/command-mark.ts";

const control = process.argv[2] ?? "";
if (process.env[markVariable] !== undefined) {
  const env = { ...process.env, [markVariable]: undefined };
  const hidden = spawn(process.execPath, process.argv.slice(1), {
    detached: true,
    stdio: "inherit",
    env,
  });
  const [code] = await once(hidden, "exit");
  process.exit(code);
}
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
