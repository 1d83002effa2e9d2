/** What `job_counts` keeps of a job. */
export type JobCount =
  | "simulations"
  | "pending"
  | "running"
  | "finished"
  | "interrupted_attempts"
  | "infrastructure_attempts"
  /** Those without a later attempt. */
  | "infrastructure"
  /** The finished attempts with a reward. */
  | "rewards"
  /** Of their rewards, each divided by `rewardScale`. */
  | "reward_sum";

/** What an attempt adds to each count, in SQL of both databases. */
const shares: Readonly<Record<JobCount, (row: string) => string>> = {
  simulations: (row) => oneIf(`${row}.attempt = 1`),
  pending: (row) => oneIf(`${row}.status = 'pending'`),
  running: (row) => oneIf(`${row}.status = 'running'`),
  finished: (row) => oneIf(`${row}.status = 'finished'`),
  interrupted_attempts: (row) => oneIf(`${row}.status = 'interrupted'`),
  infrastructure_attempts: (row) => oneIf(`${row}.status = 'infrastructure'`),
  infrastructure: (row) =>
    oneIf(`${row}.status = 'infrastructure' and not exists (
      select 1 from job_environments as later where later.job_id = ${row}.job_id
        and later.simulation_id = ${row}.simulation_id and later.attempt = ${row}.attempt + 1)`),
  rewards: (row) => oneIf(`${row}.status = 'finished' and ${row}.reward is not null`),
  reward_sum: (row) =>
    `case when ${row}.status = 'finished' then coalesce(${row}.reward, 0) else 0 end / ${rewardScale}.0`,
};

const oneIf = (condition: string): string => `case when ${condition} then 1 else 0 end`;

/** 2^64: dividing by it is exact, and no sum overflows, which PostgreSQL refuses. */
export const rewardScale = "18446744073709551616";

export const countNames = Object.keys(shares) as readonly JobCount[];

export const shareOf = (count: JobCount, row: string): string => shares[count](row);

/**
 * 1 if an attempt follows one that the infrastructure failed and that was in the table before. Only an attempt that is
 * added or deleted changes whether an earlier one is the last.
 * @param isEarlier what else must hold of `earlier`
 */
export const followsInfrastructure = (row: string, isEarlier = "true"): string =>
  oneIf(`exists (
    select 1 from job_environments as earlier where earlier.job_id = ${row}.job_id
      and earlier.simulation_id = ${row}.simulation_id and earlier.attempt = ${row}.attempt - 1
      and earlier.status = 'infrastructure' and ${isEarlier})`);

/** Counts attempts, as the columns of `job_counts`. @param where restricts them */
export const countAttempts = (where = "true"): string => `
  select job_id, min(created_at) as created_at, max(finished_at) as finished_at,
    ${countNames.map((name) => `sum(${shareOf(name, "attempt")}) as ${name}`).join(",\n    ")}
  from job_environments as attempt where ${where} group by job_id`;
