import { type EvaluateJobOptions, evaluateJob, keptFolders } from "@proj/launcher-client";
import {
  type Command,
  type Context,
  defineCommand,
  exitCode,
  flag,
  type Given,
  jsonOption,
  optional,
  readWithDefault,
  required,
  wholeNumber,
} from "@proj/program";
import {
  checkEvaluator,
  evaluatorOf,
  evaluatorOptions,
  requireEvaluator,
} from "../run/evaluator-options.ts";
import { createRunOutput } from "../run/run-output.ts";
import { requireJob, writing } from "../storage.ts";
import { dbPathOf, storageOptions } from "../storage-option.ts";
import { openTracing } from "../tracing/open-tracing.ts";
import { traceOptions } from "../tracing/trace-options.ts";

const options = {
  "job-id": required("ID", "the job"),
  "llm-model": required("ROUTE", "the route whose last step with status 200 gets a first reward"),
  ...evaluatorOptions(),
  concurrency: readWithDefault(wholeNumber("N", "evaluations at once", { min: 1, max: 10_000 }), 8),
  unscored: flag("only simulations that have no reward because their evaluator failed"),
  workdirs: optional("DIR", "where run kept the agents' folders", { completion: "files" }),
  ...storageOptions(),
  ...traceOptions(),
  json: jsonOption(
    "the events as JSON Lines on standard output, everything else on standard error",
  ),
};

/** Scores what a job has played, again or for the first time. */
export const evaluate: Command = defineCommand({
  name: "evaluate",
  summary: "score stored simulations again, without running them",
  about:
    "Scores the recorded simulations of a job, again or for the first time. No model is called and no gateway is needed. Existing rewards are replaced.",
  no: "an evaluation failed, or there is no such job",
  options,
  check({ options: given }, refuse) {
    checkEvaluator(given, refuse);
    requireEvaluator(given, refuse, "evaluate");
  },
  run: (given, context) => score(given, context),
});

function score({ options: given }: Given<typeof options, null>, context: Context): Promise<number> {
  const { signal } = context;
  const evaluator = evaluatorOf(given);
  return writing(dbPathOf(given), async (store) => {
    const job_id = given["job-id"];
    await requireJob(store, job_id, context);
    const output = createRunOutput(given.json, () => store.readJob(job_id));
    const { workdirs } = given;
    const tracing = await openTracing(given["otlp-endpoint"], output.say);
    const job: EvaluateJobOptions = {
      ...{ store, job_id, llm_model: given["llm-model"], evaluator },
      unscoredOnly: given.unscored,
      evaluationAttempts: given["evaluation-attempts"],
      concurrency: given.concurrency,
      timeouts: { evaluationMs: given["evaluation-timeout"] },
      tracing: tracing.simulations,
      tell: output.tell,
      ...(workdirs === null ? {} : { folders: keptFolders(workdirs) }),
    };
    try {
      const { evaluated, failed, left_out } = await evaluateJob(job, signal);
      output.say(`${evaluated} scored, ${failed} not scored, ${left_out} left out`);
      return failed > 0 ? exitCode.no : exitCode.done;
    } catch (error) {
      if (!signal.aborted) throw error;
      output.say("interrupted: new scores are kept");
      return exitCode.interrupted;
    } finally {
      output.end();
      await tracing.close();
    }
  });
}
