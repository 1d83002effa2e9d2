import { type ParseArgsConfig, parseArgs } from "node:util";
import { defaultDbPath, OptionValues } from "./option-values.ts";
import type { Program, RunOptions } from "./run-options.ts";

const text = { type: "string" } as const;
const options: ParseArgsConfig["options"] = {
  "llm-model": text,
  "runtime-command": text,
  "runtime-url": text,
  "evaluator-command": text,
  "evaluator-url": text,
  "job-id": text,
  concurrency: text,
  "max-attempts": text,
  "db-path": text,
  "gateway-base-url": text,
  "gateway-api-key": text,
  "session-secret": text,
  "simulation-timeout": text,
  "evaluation-timeout": text,
  "close-timeout": text,
  "heartbeat-timeout": text,
  json: { type: "boolean" },
};

/** @throws UsageError, and the TypeErrors of parseArgs */
export function parseRun(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): RunOptions {
  const parsed = parseArgs({ args: [...args], options, allowPositionals: true });
  const values = new OptionValues(parsed.values);
  const [simulations = null, ...others] = parsed.positionals;
  if (others.length > 0)
    values.refuse(`run takes one file of simulations, not also '${others[0]}'`);
  const job_id = values.text("job-id");
  if (simulations === null && job_id === null) {
    values.refuse("run needs a file of simulations, or the --job-id of a job that is to go on");
  }
  const llm_model = values.text("llm-model");
  if (llm_model === null) values.refuse("run needs --llm-model, a key of the gateway's llm_routes");
  const runtime = programOf(values, "runtime");
  if (runtime === null) values.refuse("run needs --runtime-command or --runtime-url");
  const read: RunOptions = {
    simulations,
    job_id,
    db_path: values.text("db-path") ?? defaultDbPath,
    gatewayBaseUrl: values.text("gateway-base-url") ?? "http://127.0.0.1:8000",
    gatewayApiKey: values.text("gateway-api-key") ?? (environment.GATEWAY_API_KEY || null),
    sessionSecret: values.text("session-secret") ?? (environment.GATEWAY_SESSION_SECRET || null),
    serviceGatewayConfig: environment.SERVICE_GATEWAY_CONFIG || null,
    llm_model: llm_model ?? "",
    runtime: runtime ?? { command: "" },
    evaluator: programOf(values, "evaluator"),
    concurrency: values.count("concurrency", 8, 10_000),
    maxAttempts: values.count("max-attempts", 1, 1_000_000),
    timeouts: {
      simulationMs: values.seconds("simulation-timeout", 3600),
      evaluationMs: values.seconds("evaluation-timeout", 600),
      closeMs: values.seconds("close-timeout", 120),
    },
    heartbeatTimeoutMs: values.seconds("heartbeat-timeout", 60),
    json: values.isSet("json"),
  };
  values.finish();
  return read;
}

function programOf(values: OptionValues, what: "runtime" | "evaluator"): Program | null {
  const command = values.text(`${what}-command`);
  const url = values.text(`${what}-url`);
  if (command !== null && url !== null) {
    values.refuse(`--${what}-command and --${what}-url exclude each other`);
  }
  if (command !== null) return { command };
  return url === null ? null : { url };
}
