import { readFailures } from "@proj/launcher-client";
import type { JobStore } from "@proj/session-store";
import type { StatusOptions } from "../command-line/command.ts";
import { withStorage } from "../storage.ts";
import { writeText } from "../text/write-text.ts";
import { jobsTable, jobText } from "./job-text.ts";

/** @returns the exit code */
export function status({ db_path, job_id, json }: StatusOptions): Promise<number> {
  return withStorage(db_path, async (store) => {
    const text = job_id === null ? await ofAll(store, json) : await ofOne(store, job_id, json);
    await writeText(process.stdout, [text]);
    return 0;
  });
}

async function ofAll(store: JobStore, json: boolean): Promise<string> {
  const jobs = await store.readJobs();
  if (json) return `${JSON.stringify(jobs)}\n`;
  return jobs.length === 0 ? "There are no jobs yet.\n" : jobsTable(jobs);
}

async function ofOne(store: JobStore, job_id: string, json: boolean): Promise<string> {
  const job = await store.readJob(job_id);
  if (job === null) throw new Error(`there is no job '${job_id}'; launcher status lists them`);
  const failures = await readFailures(store, job_id);
  return json ? `${JSON.stringify({ ...job, failures })}\n` : jobText(job, failures);
}
