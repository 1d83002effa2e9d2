import { type JudgeEvent, judgeJob } from "@proj/launcher-client";
import {
  type Command,
  defineCommand,
  exitCode,
  jsonOption,
  oneOperand,
  readWithDefault,
  required,
  seconds,
  wholeNumber,
} from "@proj/program";
import { gatewayOptions } from "../gateway-options.ts";
import { gatewayOf } from "../run/parts.ts";
import { secretOf } from "../secrets/secret-file.ts";
import { requireJob, writing } from "../storage.ts";
import { dbPathOf, storageOptions } from "../storage-option.ts";
import { printable } from "../text/printable.ts";
import { rubricIn } from "./rubric-file.ts";

const count = (about: string, fallback: number) =>
  readWithDefault(wholeNumber("N", about, { min: 1, max: 10_000 }), fallback);

/** Has a model score the rollouts of a job. */
export const judge: Command = defineCommand({
  name: "judge",
  summary: "have a model score the finished rollouts of a job by a rubric",
  about:
    "Has a model score the finished rollouts of a job by a rubric. Its calls are sessions of their own. Scores are kept beside rewards, which stay as they are. If it is stopped, run it again: it asks only for what is missing.",
  no: "a rollout could not be judged, or there is no such job",
  operand: oneOperand("JOB", "the job"),
  options: {
    rubric: required("FILE", "YAML: name, instructions, criteria: [{name, about, values}]", {
      completion: "files",
    }),
    "llm-model": required("ROUTE", "the route that judges"),
    repetitions: count("how often each rollout is judged", 1),
    seed: readWithDefault(
      wholeNumber("N", "draws the order of rollouts, criteria and values", {
        min: 0,
        max: 2 ** 32 - 1,
      }),
      1,
    ),
    attempts: count("how often a judge that fails is asked", 3),
    concurrency: count("judgements at once", 8),
    timeout: readWithDefault(seconds("for one answer"), 600_000, "600"),
    ...gatewayOptions(),
    ...storageOptions(),
    json: jsonOption("each judgement as a line of JSON"),
  },
  run: ({ operand: job_id, options }, context) =>
    writing(dbPathOf(options), async (store) => {
      await requireJob(store, job_id, context);
      const rubric = await rubricIn(options.rubric);
      const apiKey = secretOf(options, "gateway-api-key");
      using gateway = gatewayOf(options, apiKey);
      const { repetitions, seed, attempts, concurrency, timeout: timeoutMs } = options;
      const asked = { repetitions, seed, attempts, concurrency, timeoutMs };
      const tell = (event: JudgeEvent): void => {
        if (options.json) process.stdout.write(`${JSON.stringify(event)}\n`);
        else if (event.error !== null) process.stderr.write(`${printable(textOf(event))}\n`);
      };
      const llmApiKey = () => apiKey;
      const parts = { store, gateway, job_id, rubric, llm_model: options["llm-model"], llmApiKey };
      try {
        const { judged, known, failed } = await judgeJob(
          { ...parts, ...asked, tell },
          context.signal,
        );
        const said = `${judged} judged, ${known} judged before, ${failed} failed`;
        (options.json ? process.stderr : process.stdout).write(`${said}\n`);
        return failed > 0 ? exitCode.no : exitCode.done;
      } catch (error) {
        if (!context.signal.aborted) throw error;
        process.stderr.write("interrupted: new scores are kept\n");
        return exitCode.interrupted;
      }
    }),
});

const textOf = ({ event, session_id, repetition, error }: JudgeEvent): string =>
  `${event === "judge_failed" ? "not judged" : "asked again"}  ${session_id}, repetition ${repetition}: ${error}`;
