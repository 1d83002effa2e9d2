import {
  type Environment,
  flag,
  jsonOption,
  type Option,
  type OptionSettings,
  optional,
  optionalAs,
  type Refuse,
  readWithDefault,
  required,
  seconds,
  wholeNumber,
} from "@proj/program";
import { gatewayOptions } from "../gateway-options.ts";
import type { ValuesOf } from "../options-of.ts";
import { acpAgent, isAcp } from "../recipes/acp-agent.ts";
import { builtInRecipe, readRecipeFile, recipeNames } from "../recipes/recipe-files.ts";
import { gateOptions } from "../report/gate-options.ts";
import { failedAs } from "../report/report-options.ts";
import { secretOf } from "../secrets/secret-file.ts";
import { dbPathOf, storageOptions } from "../storage-option.ts";
import { type TaskSettings, taskAgents } from "../tasks/task-options.ts";
import { traceOptions } from "../tracing/trace-options.ts";
import { agentOptions, givenForCommands } from "./agent-options.ts";
import { checkEvaluator, evaluatorOptions, requireEvaluator } from "./evaluator-options.ts";
import { checkKeys, keyOptions } from "./key-options.ts";
import type { RunPlan, Work } from "./run-plan.ts";

/** The variables that every command for running simulations reads. */
export const runVariables: Readonly<Record<string, string>> = {
  SERVICE_GATEWAY_CONFIG:
    "the gateway's configuration file: --llm-model must be one of its routes too",
};

const what: OptionSettings = { group: "What runs" };
const where: OptionSettings = { group: "Where" };
const secretFile: OptionSettings = { ...where, completion: "files" };
const howLong: OptionSettings = { group: "How long, in seconds" };

const count = (about: string, fallback: number, max: number): Option<number> =>
  readWithDefault(wholeNumber("N", about, { ...what, min: 1, max }), fallback);
const time = (about: string, fallback: number): Option<number> =>
  readWithDefault(seconds(about, howLong), fallback * 1000, String(fallback));

const agentNames: readonly string[] = [...recipeNames(), ...taskAgents];

function readAgent(name: string, refuse: Refuse): string | undefined {
  if (agentNames.includes(name) || (isAcp(name) && name.trim() !== "acp:")) return name;
  refuse(`must be ${agentNames.join(", ")} or acp:COMMAND, not '${name}'`);
  return undefined;
}

/** How simulations of any kind are run. Times are read as milliseconds. */
export const runOptions = {
  "llm-model": required("ROUTE", "a key of the gateway's llm_routes", what),
  "runtime-command": optional(
    "COMMAND",
    "the agent: gets the start request on standard input; its last line is the result",
    what,
  ),
  agent: optionalAs(
    "NAME",
    "or a program on the PATH, or acp:COMMAND for one that speaks the Agent Client Protocol; env_params is {prompt, files?, time_limit_s?, user?}",
    readAgent,
    { ...what, completion: agentNames },
  ),
  permissions: optional(
    "FILE",
    "what an agent over the protocol may do when it asks: a policy {default, rules} of allow, deny and ask (default: allow everything)",
    { ...what, completion: "files" },
  ),
  "agent-file": optional("RECIPE", "or any other program, as a recipe file says", {
    ...what,
    completion: "files",
  }),
  "runtime-url": optional("URL", "or an endpoint that gets the start request as a POST", what),
  ...evaluatorOptions(what, howLong),
  "job-id": optional(
    "ID",
    "the job's id; an earlier job's id continues it (default: a new id)",
    what,
  ),
  concurrency: count("simulations at once", 8, 10_000),
  "max-attempts": count("how many attempts of a simulation may fail", 1, 1_000_000),
  "infrastructure-attempts": count(
    "how many infrastructure failures a simulation may have",
    3,
    1_000_000,
  ),
  ...agentOptions,
  ...storageOptions("Where"),
  ...gatewayOptions(where),
  "session-secret": optional(
    "SECRET",
    "the gateway's auth.session_secret; a runtime then gets a key to its own session, and otherwise the gateway's key",
    { ...where, variable: "GATEWAY_SESSION_SECRET" },
  ),
  "session-secret-file": optional("FILE", "or a file that contains it", secretFile),
  ...keyOptions,
  "simulation-timeout": time("for the runtime", 3600),
  "queue-timeout": time(
    "for an agent's turn in Slurm or Kubernetes; its --simulation-timeout begins after that",
    86_400,
  ),
  "stop-grace": time("for an agent that continues after its budget was spent", 30),
  "close-timeout": time("for a session to close", 120),
  "heartbeat-timeout": time(
    "after this long without a heartbeat from its launcher, another launcher takes over an attempt; use the same for all launchers of a job",
    60,
  ),
  ...traceOptions(where),
  "require-tokens": flag(
    "refuse to start unless the route has an engine whose tokens can be trained on; without it, what is missing is a warning",
  ),
  ...gateOptions,
  "failed-as": failedAs,
  json: jsonOption(
    "the events as JSON Lines on standard output, everything else on standard error",
  ),
};

export type RunSettings = ValuesOf<typeof runOptions>;

const runtimes = ["runtime-command", "runtime-url", "agent", "agent-file"] as const;

const countRuntimes = (options: RunSettings): number =>
  runtimes.filter((name) => options[name] !== null).length;

const runtimeNames = (last: string): string =>
  `--${runtimes.slice(0, -1).join(", --")} ${last} --${runtimes.at(-1)}`;

export const namesAgent = (options: RunSettings): boolean => countRuntimes(options) > 0;

/** @param command the command that these are the options of */
export function requireAgent(options: RunSettings, refuse: Refuse, command: string): void {
  if (!namesAgent(options)) refuse(`${command} needs ${runtimeNames("or")}`);
}

/** Programs say nothing of a reward: without an evaluator, each simulation would be paid for and then fail. */
function checkReward(options: RunSettings, refuse: Refuse): void {
  const { agent, "agent-file": file } = options;
  const given = agent === null ? file && "--agent-file" : `--agent ${agent}`;
  if (given !== null && !taskAgents.some((name) => name === agent))
    requireEvaluator(options, refuse, given, ": programs do not score their own work");
}

/** @param isOfTasks the simulations are tasks, which have verifiers */
export function checkRun(options: RunSettings, refuse: Refuse, isOfTasks: boolean = false): void {
  if (countRuntimes(options) > 1) refuse(`${runtimeNames("and")} exclude each other`);
  const [unused] = options["runtime-url"] === null ? [] : givenForCommands(options);
  if (unused !== undefined)
    refuse(`--runtime-url and --${unused} exclude each other: it is for agents that are commands`);
  if (options.permissions !== null && !isAcp(options.agent))
    refuse("--permissions needs --agent acp:COMMAND");
  if (options["failed-as"] !== null && options["min-reward"] === null && options.summary === null)
    refuse("--failed-as needs --min-reward or --summary");
  checkEvaluator(options, refuse);
  if (!isOfTasks) checkReward(options, refuse);
  checkKeys(options, refuse);
}

/** @throws UsageError a file of secrets or a recipe cannot be read */
export function planRun(
  work: Work,
  options: RunSettings,
  environment: Environment,
  tasks: TaskSettings | null = null,
): RunPlan {
  return {
    ...{ work, options, tasks },
    db_path: dbPathOf(options),
    gatewayApiKey: secretOf(options, "gateway-api-key"),
    sessionSecret: secretOf(options, "session-secret"),
    serviceGatewayConfig: environment.SERVICE_GATEWAY_CONFIG || null,
    runtime: runtimeOf(options),
  };
}

function runtimeOf(options: RunSettings): RunPlan["runtime"] {
  const { agent, "agent-file": file, "runtime-url": url, "runtime-command": command } = options;
  const taskAgent = taskAgents.find((name) => name === agent);
  if (taskAgent !== undefined) return { taskAgent };
  if (isAcp(agent)) return acpAgent(agent, options.permissions);
  if (agent !== null) return builtInRecipe(agent);
  if (file !== null) return readRecipeFile(file);
  return url === null ? { command: command ?? "" } : { url };
}
