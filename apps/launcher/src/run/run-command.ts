import {
  type Command,
  defineCommand,
  type Environment,
  type Given,
  jsonOption,
  type Option,
  type OptionSettings,
  oneOf,
  optional,
  optionalOperand,
  readWithDefault,
  required,
  seconds,
  wholeNumber,
  withDefault,
} from "@proj/program";
import { recipes } from "../agents/recipes.ts";
import { secretOf } from "../secrets/secret-file.ts";
import { dbPathOf, storageOptions } from "../storage-option.ts";
import { agentOptions } from "./agent-options.ts";
import { checkEvaluator, evaluatorOptions } from "./evaluator-options.ts";
import { preflightFailure } from "./preflight-failure.ts";
import { runJob } from "./run.ts";
import type { Callee, RunOptions } from "./run-options.ts";

const what: OptionSettings = { group: "What runs" };
const where: OptionSettings = { group: "Where" };
const secretFile: OptionSettings = { ...where, completion: "files" };
const howLong: OptionSettings = { group: "How long, in seconds" };

const count = (about: string, fallback: number, most: number): Option<number> =>
  readWithDefault(wholeNumber("N", about, { ...what, least: 1, most }), fallback);
const time = (about: string, fallback: number): Option<number> =>
  readWithDefault(seconds(about, howLong), fallback * 1000, String(fallback));

const options = {
  "llm-model": required("ROUTE", "a key of the gateway's llm_routes", what),
  "runtime-command": optional(
    "COMMAND",
    "the agent: gets the start request on standard input, its last line is the result",
    what,
  ),
  agent: oneOf(
    "NAME",
    recipes.map(({ name }) => name),
    "or a program from npm, on the path: env_params is {prompt, files?, time_limit_s?}",
    what,
  ),
  "runtime-url": optional("URL", "or an endpoint that gets the start request as a POST", what),
  ...evaluatorOptions(what, howLong),
  "job-id": optional(
    "ID",
    "a new one by default; with the id of a job that was run, it goes on",
    what,
  ),
  concurrency: count("simulations at once", 8, 10_000),
  "max-attempts": count("how many attempts of a simulation may fail", 1, 1_000_000),
  ...agentOptions,
  ...storageOptions("Where"),
  "gateway-base-url": withDefault("URL", "the gateway", "http://127.0.0.1:8000", where),
  "gateway-api-key": optional("KEY", "one of the gateway's auth.api_keys", {
    ...where,
    variable: "GATEWAY_API_KEY",
  }),
  "gateway-api-key-file": optional("FILE", "or a file that has it", secretFile),
  "session-secret": optional(
    "SECRET",
    "the gateway's auth.session_secret; a runtime then gets a key to its own session, and else the gateway's key",
    { ...where, variable: "GATEWAY_SESSION_SECRET" },
  ),
  "session-secret-file": optional("FILE", "or a file that has it", secretFile),
  "simulation-timeout": time("for the runtime", 3600),
  "close-timeout": time("for a session to close", 120),
  "heartbeat-timeout": time(
    "without news of its launcher, an attempt is begun again by another; the same for all launchers of a job",
    60,
  ),
  json: jsonOption("the events as JSON Lines on standard output, all else on standard error"),
};

type RunGiven = Given<typeof options, string | null>;

const command: Command<RunGiven> = defineCommand({
  name: "run",
  summary: "run a job's simulations until each is finished or has failed",
  about:
    "Runs the simulations of a job, many at once and in order, until each is finished or has failed.",
  no: "some simulations failed",
  endsItself: true,
  operand: optionalOperand(
    "SIMULATIONS",
    "a YAML file with a list, a JSON Lines file (.jsonl, .ndjson), or - for JSON Lines on standard input; each simulation is {simulation_id?, env_name?, env_params?, group_id?, repeat?}. Without it, the job that --job-id names goes on as it is stored",
    "files",
  ),
  options,
  variables: {
    SERVICE_GATEWAY_CONFIG: "the gateway's configuration file: --llm-model is looked for there too",
  },
  check({ operand, options }, refuse) {
    if (operand === null && options["job-id"] === null)
      refuse("run needs a file of simulations, or the --job-id of a job that is to go on");
    const runtimes = [options["runtime-command"], options["runtime-url"], options.agent];
    const given = runtimes.filter((runtime) => runtime !== null).length;
    if (given === 0) refuse("run needs --runtime-command, --runtime-url or --agent");
    if (given > 1) refuse("--runtime-command, --runtime-url and --agent exclude each other");
    checkEvaluator(options, refuse);
  },
  async run(given, context) {
    try {
      return await runJob(toRunOptions(given, process.env), context);
    } catch (error) {
      throw preflightFailure(error);
    }
  },
});

/** Runs the simulations of a job. */
export const run: Command = command;

/** What a command line asks of a run. @throws UsageError */
export const readRunOptions = (args: readonly string[], environment: Environment): RunOptions =>
  toRunOptions(command.read(args, environment), environment);

function toRunOptions(
  { operand: simulations, options }: RunGiven,
  environment: Environment,
): RunOptions {
  const recipe = recipes.find(({ name }) => name === options.agent);
  const runtime = recipe ?? calleeOf(options["runtime-command"], options["runtime-url"]);
  return {
    simulations,
    job_id: options["job-id"],
    db_path: dbPathOf(options),
    gatewayBaseUrl: options["gateway-base-url"],
    gatewayApiKey: secretOf(options, "gateway-api-key"),
    sessionSecret: secretOf(options, "session-secret"),
    serviceGatewayConfig: environment.SERVICE_GATEWAY_CONFIG || null,
    llm_model: options["llm-model"],
    runtime: runtime ?? { command: "" },
    evaluator: options,
    agent: options,
    concurrency: options.concurrency,
    maxAttempts: options["max-attempts"],
    timeouts: {
      simulationMs: options["simulation-timeout"],
      evaluationMs: options["evaluation-timeout"],
      closeMs: options["close-timeout"],
    },
    heartbeatTimeoutMs: options["heartbeat-timeout"],
    json: options.json,
  };
}

function calleeOf(command: string | null, url: string | null): Callee | null {
  if (command !== null) return { command };
  return url === null ? null : { url };
}
