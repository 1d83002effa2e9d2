import { consolePath, createViewServer } from "@proj/console";
import { ReviewQueue } from "@proj/launcher-client";
import {
  type Command,
  defineCommand,
  exitCode,
  oneOperand,
  portOption,
  readWithDefault,
  required,
  requireFreeAddress,
  wholeNumber,
} from "@proj/program";
import { rubricIn } from "../judge/rubric-file.ts";
import { noSuchJob, writing } from "../storage.ts";
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
    port: portOption(`listen here instead of on ${defaultPort}`),
    ...storageOptions(),
  },
  run: ({ operand: job_id, options }, context) =>
    writing(dbPathOf(options), async (store) => {
      if ((await store.readJob(job_id)) === null) throw noSuchJob(job_id, context);
      const { reviewers } = options;
      const rubric = await rubricIn(options.rubric);
      const port = options.port ?? defaultPort;
      await requireFreeAddress(viewHost, port);
      const queue = new ReviewQueue({ store, job_id, rubric, reviewers });
      const place = `${consolePath}#/review`;
      const open = (key: string) => createViewServer(null, { key, review: queue });
      await serveConsole(open, place, port, context.signal);
      return exitCode.done;
    }),
});
