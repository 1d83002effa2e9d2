import { consolePath, createViewServer } from "@proj/console";
import {
  type Command,
  defineCommand,
  exitCode,
  flag,
  oneOperand,
  portOption,
  readWithDefault,
  required,
  requireFreeAddress,
  wholeNumber,
} from "@proj/program";
import { ReviewQueue } from "@proj/session-store/answers";
import { rubricIn } from "../judge/rubric-file.ts";
import { requireJob, writing } from "../storage.ts";
import { dbPathOf, storageOptions } from "../storage-option.ts";
import { serveConsole, viewHost } from "../view/serve-console.ts";

const defaultPort = 8002;

/** Serves a queue of rollouts to people who score them. */
export const review: Command = defineCommand({
  name: "review",
  summary: "have people score the finished rollouts of a job by a rubric, in a browser",
  about:
    "Serves a queue of finished rollouts to people, who score them by a rubric with the keys 1 to 9 and see no other scores. Scores are kept beside rewards, which stay as they are.",
  no: "there is no such job",
  operand: oneOperand("JOB", "the job"),
  options: {
    rubric: required("FILE", "YAML: name, instructions, criteria: [{name, about, values}]", {
      completion: "files",
    }),
    reviewers: readWithDefault(
      wholeNumber("N", "how many people score each rollout", { min: 1, max: 100 }),
      1,
    ),
    console: flag("only store the rubric: people score on the job's page in the gateway's console"),
    port: portOption(`listen here instead of on ${defaultPort}`),
    ...storageOptions(),
  },
  run: ({ operand: job_id, options }, context) =>
    writing(dbPathOf(options), async (store) => {
      await requireJob(store, job_id, context);
      const { reviewers } = options;
      const rubric = await rubricIn(options.rubric);
      const port = options.port ?? defaultPort;
      if (!options.console) await requireFreeAddress(viewHost, port);
      await store.writeReview({ job_id, rubric, reviewers });
      const place = `${consolePath}#/review/${encodeURIComponent(job_id)}`;
      if (options.console) {
        console.log(`people score it at ${place} of the gateway`);
        return exitCode.done;
      }
      const reviews = new ReviewQueue(async () => store);
      const open = (key: string) => createViewServer(null, { key, reviews });
      await serveConsole(open, place, port, context.signal);
      return exitCode.done;
    }),
});
