import {
  type Command,
  defineCommand,
  type Environment,
  type Given,
  optional,
  optionalOperand,
  type Refuse,
} from "@proj/program";
import { checkTasks, taskOptions } from "../tasks/task-options.ts";
import { givenForCommands } from "./agent-options.ts";
import { preflightFailure } from "./preflight-failure.ts";
import { replayIgnore } from "./replay-ignore.ts";
import { runJob } from "./run.ts";
import { checkRun, planRun, requireAgent, runOptions, runVariables } from "./run-arguments.ts";
import type { RunPlan, Work } from "./run-plan.ts";

/** Of `run` and `check`. */
export const jobOptions = {
  "replay-from": optional(
    "JOB",
    "run that job's simulations once more, each answered from the record of its last attempt; no model is asked",
    { group: "What runs" },
  ),
  "replay-ignore": replayIgnore,
  ...taskOptions,
  ...runOptions,
};

export type RunGiven = Given<typeof jobOptions, string | null>;

/** Of what says how commands are run, what says how tasks' containers are. */
const ofTasks: ReadonlySet<string> = new Set(["place", "runtime-sandbox", "runtime-read"]);

/** Refuses settings that contradict each other. */
export function checkJob({ operand, options }: RunGiven, refuse: Refuse): void {
  const { tasks, "replay-from": replayed } = options;
  if (operand !== null && replayed !== null)
    refuse("a file of simulations and --replay-from exclude each other");
  if (tasks !== null && (operand !== null || replayed !== null))
    refuse("--tasks excludes a file of simulations and --replay-from");
  const unused = givenForCommands(options).find((name) => !ofTasks.has(name));
  if (tasks !== null && unused !== undefined) refuse(`--tasks and --${unused} exclude each other`);
  if (replayed !== null && replayed === options["job-id"])
    refuse("--job-id must name another job than --replay-from: a replay is a separate job");
  if (replayed === null && options["replay-ignore"].length > 0)
    refuse("--replay-ignore needs --replay-from");
  checkRun(options, refuse, tasks !== null);
}

const command: Command<RunGiven> = defineCommand({
  name: "run",
  summary: "run a job's simulations until each is finished or has failed",
  about:
    "Runs the simulations of a job, many at once and in order, until each is finished or has failed.",
  no: "some simulations failed, or the job does not pass --min-reward",
  endsItself: true,
  operand: optionalOperand(
    "SIMULATIONS",
    "a YAML file with a list, a JSON Lines file (.jsonl, .ndjson), or - for JSON Lines on standard input; each simulation is {simulation_id?, env_name?, env_params?, group_id?, repeat?}. Without it, the stored job that --job-id names continues",
    "files",
  ),
  options: jobOptions,
  variables: runVariables,
  check(given, refuse) {
    const { operand, options } = given;
    if (
      [operand, options["replay-from"], options.tasks, options["job-id"]].every((it) => it === null)
    )
      refuse(
        "run needs a file of simulations, --tasks, --replay-from, or the --job-id of a job to continue",
      );
    requireAgent(options, refuse, "run");
    checkTasks(options, refuse);
    checkJob(given, refuse);
  },
  async run(given, context) {
    try {
      return await runJob(planOf(given, process.env), context);
    } catch (error) {
      throw preflightFailure(error);
    }
  },
});

/** Runs the simulations of a job. */
export const run: Command = command;

/** @throws UsageError */
export const readPlan = (args: readonly string[], environment: Environment): RunPlan =>
  planOf(command.read(args, environment), environment);

/** @throws UsageError */
export const planOf = ({ operand, options }: RunGiven, environment: Environment): RunPlan =>
  planRun(workOf(operand, options), options, environment, options.tasks === null ? null : options);

function workOf(simulations: string | null, options: RunGiven["options"]): Work {
  const replay_from = options["replay-from"];
  if (replay_from !== null) return { replay_from, ignore: options["replay-ignore"].flat() };
  return simulations === null ? null : { simulations };
}
