import { query } from "@proj/database";
import type { InferResult } from "@proj/database/kysely";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import type { JobSummary } from "../../job-store.ts";

const countJob = query((source: StoreSource) =>
  jobCounts(source).where("job_id", "=", parameter<string>("job_id")),
);
const countJobs = query((source: StoreSource) =>
  jobCounts(source).orderBy("created_at", "desc").orderBy("job_id"),
);

export async function readJob(runner: StoreRunner, job_id: string): Promise<JobSummary | null> {
  const { rows } = await runner.run(countJob, { job_id });
  return rows.map(toSummary)[0] ?? null;
}

export async function readJobs(runner: StoreRunner): Promise<JobSummary[]> {
  return (await runner.run(countJobs)).rows.map(toSummary);
}

type JobCounts = InferResult<ReturnType<typeof jobCounts>>[number];

/**
 * Attempts have no gaps, and only a failed or interrupted attempt has a later one. So simulations are counted by
 * their first attempt, without comparing any row with another.
 */
function jobCounts({ db }: StoreSource) {
  return db
    .selectFrom("job_environments")
    .select(({ fn }) => [
      "job_id",
      fn.min("created_at").as("created_at"),
      fn.max("finished_at").as("finished_at"),
      fn.countAll().filterWhere("attempt", "=", 1).as("simulations"),
      fn.countAll().filterWhere("status", "=", "pending").as("pending"),
      fn.countAll().filterWhere("status", "=", "running").as("running"),
      fn.countAll().filterWhere("status", "=", "finished").as("finished"),
      fn.countAll().filterWhere("status", "=", "interrupted").as("interrupted_attempts"),
      fn.avg<number | null>("reward").filterWhere("status", "=", "finished").as("mean_reward"),
    ])
    .groupBy("job_id");
}

function toSummary(counts: JobCounts): JobSummary {
  const { job_id, created_at, finished_at, mean_reward } = counts;
  const simulations = Number(counts.simulations);
  const pending = Number(counts.pending);
  const running = Number(counts.running);
  const finished = Number(counts.finished);
  return {
    job_id,
    created_at,
    finished_at,
    simulations,
    pending,
    running,
    finished,
    failed: simulations - pending - running - finished,
    interrupted_attempts: Number(counts.interrupted_attempts),
    mean_reward,
  };
}
