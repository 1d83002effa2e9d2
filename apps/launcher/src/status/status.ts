import {
  type Command,
  type Context,
  defineCommand,
  exitCode,
  jsonOption,
  optional,
} from "@proj/program";
import type { JobReader } from "@proj/session-store";
import { ofJob, reading, requireJob } from "../storage.ts";
import { dbPathOf, storageOptions } from "../storage-option.ts";
import { writeText } from "../text/write-text.ts";
import { jobsTable } from "./jobs-table.ts";

/** Shows the jobs of a database, or one of them. */
export const status: Command = defineCommand({
  name: "status",
  summary: "list the jobs in a database, or show one of them",
  about:
    "Lists the jobs of a database. For one job, shows its failures by error, its tokens and its cost too.",
  no: "there is no such job",
  options: {
    ...storageOptions(),
    "job-id": optional("ID", "one job"),
    json: jsonOption("as JSON"),
  },
  run: ({ options }, context) =>
    reading(
      dbPathOf(options),
      async (store) => {
        const { "job-id": job_id, json } = options;
        const text =
          job_id === null ? await ofAll(store, json) : await ofOne(store, job_id, json, context);
        await writeText(process.stdout, [text]);
        return exitCode.done;
      },
      ofJob(options["job-id"], context),
    ),
});

async function ofAll(store: JobReader, json: boolean): Promise<string> {
  const jobs = await store.readJobs();
  if (json) return `${JSON.stringify(jobs)}\n`;
  return jobs.length === 0 ? "There are no jobs yet.\n" : jobsTable(jobs);
}

async function ofOne(
  store: JobReader,
  job_id: string,
  json: boolean,
  context: Context,
): Promise<string> {
  const job = await requireJob(store, job_id, context);
  const { readJobUsage } = await import("@proj/launcher-client");
  const { readJobFailures } = await import("./job-failures.ts");
  const failures = await readJobFailures(store, job_id);
  const usage = await readJobUsage(store, job_id);
  if (json) return `${JSON.stringify({ ...job, ...failures, usage })}\n`;
  const { jobText } = await import("./job-text.ts");
  return jobText(job, failures, usage);
}
