import { query } from "@proj/database";
import type { ExpressionBuilder, InferResult } from "@proj/database/kysely";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import type { JobSummary } from "../../job-pages.ts";
import type { StoreTables } from "../../schema.ts";

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
 * Attempts have no gaps, and only an attempt that failed or was interrupted has a later one. So simulations are counted
 * by their first attempt, and no row is compared with another except the few that the infrastructure failed.
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
      fn.countAll().filterWhere("status", "=", "infrastructure").as("infrastructure_attempts"),
      fn.countAll().filterWhere(isLastOfInfrastructure).as("infrastructure"),
      fn.avg<number | null>("reward").filterWhere("status", "=", "finished").as("mean_reward"),
    ])
    .groupBy("job_id");
}

function isLastOfInfrastructure({
  and,
  eb,
  exists,
  lit,
  not,
  ref,
  selectFrom,
}: ExpressionBuilder<StoreTables, "job_environments">) {
  const later = selectFrom("job_environments as later")
    .select("later.session_id")
    .whereRef("later.job_id", "=", "job_environments.job_id")
    .whereRef("later.simulation_id", "=", "job_environments.simulation_id")
    .where("later.attempt", "=", eb(ref("job_environments.attempt"), "+", lit(1)));
  return and([eb("status", "=", "infrastructure"), not(exists(later))]);
}

function toSummary(counts: JobCounts): JobSummary {
  const { job_id, created_at, finished_at, mean_reward } = counts;
  const simulations = Number(counts.simulations);
  const pending = Number(counts.pending);
  const running = Number(counts.running);
  const finished = Number(counts.finished);
  const infrastructure = Number(counts.infrastructure);
  return {
    job_id,
    created_at,
    finished_at,
    simulations,
    pending,
    running,
    finished,
    failed: simulations - pending - running - finished - infrastructure,
    infrastructure,
    infrastructure_attempts: Number(counts.infrastructure_attempts),
    interrupted_attempts: Number(counts.interrupted_attempts),
    mean_reward,
  };
}
