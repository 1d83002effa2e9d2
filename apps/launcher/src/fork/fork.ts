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
import { checkRun, planRun, requireAgent, runOptions, runVariables } from "../run/run-arguments.ts";

const what = { group: "What runs", min: 1 };

/** Continues from a session's state, several times. */
export const fork: Command = defineCommand({
  name: "fork",
  summary: "continue from a session's state, several times",
  about:
    "Runs simulations that begin as a recorded session did. Up to step N the gateway answers requests that equal the record from it; after that it asks the model. The simulations have the task of the session's simulation, and form one group in a new job.",
  no: "some simulations failed, or the job does not pass --min-reward",
  endsItself: true,
  operand: oneOperand("SESSION", "the session to continue from"),
  options: {
    step: {
      ...wholeNumber("N", "the last step, of --llm-model, to answer from the record", {
        ...what,
        max: 999_999_999,
      }),
      required: true,
    },
    times: readWithDefault(
      wholeNumber("T", "how many simulations continue from there", { ...what, max: 100_000 }),
      1,
    ),
    "replay-ignore": replayIgnore,
    ...runOptions,
  },
  variables: runVariables,
  check({ options }, refuse) {
    requireAgent(options, refuse, "fork");
    checkRun(options, refuse);
  },
  async run({ operand: session_id, options }, context) {
    const { step, times } = options;
    const ignore = options["replay-ignore"].flat();
    const work = { fork: { session_id, step: step ?? 1, times, ignore } };
    try {
      return await runJob(planRun(work, options, process.env), context);
    } catch (error) {
      throw preflightFailure(error);
    }
  },
});
