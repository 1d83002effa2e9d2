// A rollout from end to end that needs no account: a gateway with a small built-in model, and the launcher with an
// agent and an evaluator that are commands.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startDemoUpstream } from "@proj/demo-upstream";
import { createGateway } from "@proj/gateway-core";
import { parseConfig } from "@proj/gateway-protocol";
import { newJobId } from "../../src/run/job-id.ts";
import { calledAs, printWhatHappened } from "./what-happened.ts";

const db_url = "sqlite://data/demo.db";
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const node = (script: string): string => `"${process.execPath}" "${here(script)}"`;

// `--agent codex`: a program from npm works on the tasks instead of the agent in this folder.
const { agent } = parseArgs({ options: { agent: { type: "string" } } }).values;
const runtime = agent ? ["--agent", agent] : ["--runtime-command", node("agent.ts")];

// A real program would run the tool calls that the demo model makes up, so the model makes none.
const model = await startDemoUpstream({ delayMs: 20, ...(agent ? { toolRounds: 0 } : {}) });
const config = {
  listen_port: 0,
  storage_config: { db_url },
  request_log: { enabled: false },
  llm_routes: {
    // Token ids and logprobs, which vLLM returns on request.
    demo: {
      base_url: model.url,
      endpoints: ["chat_completions", "responses", "messages"],
      extra_body: { return_token_ids: true, logprobs: true },
    },
  },
};
const ignore = (): void => {};
const log = { info: ignore, warn: ignore, error: console.error, close: async () => {} };
const gateway = await createGateway(parseConfig(JSON.stringify(config), "the demo"), { log });
const { url } = await gateway.listen();
console.log(`gateway  ${url}, with the route 'demo'\nrows     ${db_url}\n`);

const job_id = newJobId();
const launcher = [
  "--conditions=@proj/source",
  here("../../src/bin.ts"),
  ...["run", here(agent ? "tasks.yaml" : "simulations.yaml")],
  ...["--job-id", job_id],
  ...["--llm-model", "demo"],
  ...runtime,
  ...["--evaluator-command", node("evaluator.ts")],
  ...["--gateway-base-url", url],
  ...["--db-path", db_url],
];
const env = { ...process.env, CALLED_AS: calledAs };
// Signals of the terminal reach both processes; the launcher decides when to end.
process.on("SIGINT", ignore);
const [code] = await once(spawn(process.execPath, launcher, { stdio: "inherit", env }), "exit");
await gateway.close();
await model.close();
await printWhatHappened(job_id, db_url);
process.exitCode = code ?? 1;
