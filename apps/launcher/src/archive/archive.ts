import { count } from "@proj/launcher-client/sheets";
import {
  type Command,
  defineCommand,
  exitCode,
  flag,
  jsonOption,
  oneOperand,
  required,
} from "@proj/program";
import { requireJob, writing } from "../storage.ts";
import { dbPathOf, storageOptions } from "../storage-option.ts";

/** Writes the ended rollouts of a job to object storage, or to a folder. */
export const archive: Command = defineCommand({
  name: "archive",
  summary: "write the rollouts of a job that have ended to S3 or a folder, as Parquet",
  about:
    "Writes each rollout once: what an earlier run wrote is only compared, and a run that was killed is continued. Give the archive as --db-path to commands that read, such as report and export. docs/data.md describes its files.",
  no: "the job does not exist",
  operand: oneOperand("JOB", "the job"),
  options: {
    to: required("ARCHIVE", "s3://BUCKET/PREFIX, or a folder"),
    prune: flag(
      "then delete the steps of rollouts that are in the archive; rewards and scores stay",
    ),
    ...storageOptions(),
    json: jsonOption("as JSON"),
  },
  run: ({ operand: job_id, options }, context) =>
    writing(dbPathOf(options), async (store) => {
      await requireJob(store, job_id, context);
      const { archiveJob, pruneArchived } = await import("@proj/launcher-client");
      const { to: address, json, prune } = options;
      const asked = { job_id, address, signal: context.signal };
      const done = await archiveJob(store, asked);
      const pruned = prune ? await pruneArchived(store, asked) : null;
      const { archived, steps, already_archived } = done;
      console.log(
        json
          ? JSON.stringify({ ...done, ...pruned })
          : `archived ${count(archived, "rollout")} with ${count(steps, "step")}; ${already_archived} were archived before`,
      );
      if (pruned !== null && !json)
        console.log(`pruned ${count(pruned.pruned, "rollout")}; kept ${pruned.kept}`);
      return exitCode.done;
    }),
});
