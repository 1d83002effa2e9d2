import {
  type Command,
  defineCommand,
  type Environment,
  type Given,
  optional,
  optionalOperand,
} from "@proj/program";
import { checkTasks, taskOptions } from "../tasks/task-options.ts";
import { preflightFailure } from "./preflight-failure.ts";
import { replayIgnore } from "./replay-ignore.ts";
import { runJob } from "./run.ts";
import { checkRun, runOptions, runVariables, toRunOptions } from "./run-arguments.ts";
import type { RunOptions, Work } from "./run-options.ts";

const options = {
  "replay-from": optional(
    "JOB",
    "run that job's simulations once more, each answered from the record of its last attempt; no model is asked",
    { group: "What runs" },
  ),
  "replay-ignore": replayIgnore,
  ...taskOptions({ group: "What runs" }),
  ...runOptions,
};

type RunGiven = Given<typeof options, string | null>;

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
  options,
  variables: runVariables,
  check({ operand, options }, refuse) {
    const replayed = options["replay-from"];
    if (operand !== null && replayed !== null)
      refuse("a file of simulations and --replay-from exclude each other");
    const { tasks } = options;
    if (tasks !== null && (operand !== null || replayed !== null))
      refuse("--tasks excludes a file of simulations and --replay-from");
    if (operand === null && replayed === null && tasks === null && options["job-id"] === null)
      refuse(
        "run needs a file of simulations, --tasks, --replay-from, or the --job-id of a job to continue",
      );
    if (replayed !== null && replayed === options["job-id"])
      refuse("--job-id must name another job than --replay-from: a replay is a separate job");
    if (replayed === null && options["replay-ignore"].length > 0)
      refuse("--replay-ignore needs --replay-from");
    checkTasks(options, refuse);
    checkRun(options, refuse, "run");
  },
  async run(given, context) {
    try {
      return await runJob(toOptions(given, process.env), context);
    } catch (error) {
      throw preflightFailure(error);
    }
  },
});

/** Runs the simulations of a job. */
export const run: Command = command;

/** The settings of a run, from its command line. @throws UsageError */
export const readRunOptions = (args: readonly string[], environment: Environment): RunOptions =>
  toOptions(command.read(args, environment), environment);

const toOptions = ({ operand, options }: RunGiven, environment: Environment): RunOptions =>
  toRunOptions(
    workOf(operand, options),
    options,
    environment,
    options.tasks === null ? null : options,
  );

function workOf(simulations: string | null, options: RunGiven["options"]): Work {
  const replay_from = options["replay-from"];
  if (replay_from !== null) return { replay_from, ignore: options["replay-ignore"].flat() };
  return simulations === null ? null : { simulations };
}
