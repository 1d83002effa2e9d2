import { query } from "@proj/database";
import type { InferResult } from "@proj/database/kysely";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import { rewardScale } from "../../job-counts.ts";
import type { JobSummary } from "../../job-pages.ts";

const counts = ({ db }: StoreSource) => db.selectFrom("job_counts").selectAll();
const readCounts = query((source: StoreSource) =>
  counts(source).where("job_id", "=", parameter<string>("job_id")),
);
const readAllCounts = query((source: StoreSource) =>
  counts(source).orderBy("created_at", "desc").orderBy("job_id"),
);

export async function readJob(runner: StoreRunner, job_id: string): Promise<JobSummary | null> {
  const { rows } = await runner.run(readCounts, { job_id });
  return rows.map(toSummary)[0] ?? null;
}

export async function readJobs(runner: StoreRunner): Promise<JobSummary[]> {
  return (await runner.run(readAllCounts)).rows.map(toSummary);
}

type JobCounts = InferResult<ReturnType<typeof counts>>[number];

/**
 * Attempts have no gaps, and only an attempt that failed or was interrupted has a later one. So simulations are counted
 * by their first attempt, and those whose last attempt failed are the rest.
 */
function toSummary({ rewards, reward_sum, ...counts }: JobCounts): JobSummary {
  const { simulations, pending, running, finished, infrastructure } = counts;
  return {
    ...counts,
    failed: simulations - pending - running - finished - infrastructure,
    mean_reward: rewards === 0 ? null : (reward_sum / rewards) * Number(rewardScale),
  };
}
