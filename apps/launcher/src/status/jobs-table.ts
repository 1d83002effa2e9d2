import { reward } from "@proj/launcher-client/sheets";
import { table } from "@proj/program";
import type { JobSummary } from "@proj/session-store";
import { printable } from "../text/printable.ts";

/** All jobs, one a line. */
export function jobsTable(jobs: readonly JobSummary[]): string {
  const columns = [
    { title: "job" },
    { title: "started" },
    ...[
      "simulations",
      "pending",
      "running",
      "finished",
      "failed",
      "infrastructure",
      "mean reward",
    ].map((title) => ({
      title,
      align: "right" as const,
    })),
  ];
  const rows = jobs.map((job) => {
    const { simulations, pending, running, finished, failed, infrastructure } = job;
    const counts = [simulations, pending, running, finished, failed, infrastructure];
    return [job.job_id, job.created_at, ...counts.map(String), reward(job.mean_reward)];
  });
  return printable(table(columns, rows));
}
