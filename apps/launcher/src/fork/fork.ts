import {
  type Command,
  defineCommand,
  oneOperand,
  readWithDefault,
  wholeNumber,
} from "@proj/program";
import { preflightFailure } from "../run/preflight-failure.ts";
import { replayIgnore } from "../run/replay-ignore.ts";
import { runJob } from "../run/run.ts";
import { checkRun, runOptions, runVariables, toRunOptions } from "../run/run-arguments.ts";

const what = { group: "What runs", least: 1 };

/** Goes on from a session's state, several times. */
export const fork: Command = defineCommand({
  name: "fork",
  summary: "go on from a session's state, several times",
  about:
    "Runs simulations that begin as a recorded session did. Up to step N the gateway answers what equals the record from it, and from there on the model is asked. They have the task of the session's simulation, and are one group of a job of their own.",
  no: "some simulations failed",
  endsItself: true,
  operand: oneOperand("SESSION", "the session to go on from"),
  options: {
    step: {
      ...wholeNumber("N", "its last step, of --llm-model, that is answered from the record", {
        ...what,
        most: 999_999_999,
      }),
      required: true,
    },
    times: readWithDefault(
      wholeNumber("T", "how many simulations go on from there", { ...what, most: 100_000 }),
      1,
    ),
    "replay-ignore": replayIgnore,
    ...runOptions,
  },
  variables: runVariables,
  check({ options }, refuse) {
    checkRun(options, refuse, "fork");
  },
  async run({ operand: session_id, options }, context) {
    const { step, times } = options;
    const ignore = options["replay-ignore"].flat();
    const work = { fork: { session_id, step: step ?? 1, times, ignore } };
    try {
      return await runJob(toRunOptions(work, options, process.env), context);
    } catch (error) {
      throw preflightFailure(error);
    }
  },
});
