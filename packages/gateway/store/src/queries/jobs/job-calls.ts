import type { StoreQueries } from "../../dialect.ts";
import type { CallFunctions, CallsOf } from "../query-calls.ts";
import type { JobReadCalls } from "../read-calls.ts";
import * as jobReads from "./job-reads.ts";
import * as jobWrites from "./job-writes.ts";

/** The calls of a JobStore. */
export type JobCalls = JobReadCalls & CallsOf<typeof jobWrites>;

export const jobFunctions: CallFunctions<JobCalls> = { ...jobReads, ...jobWrites };

/** @param deadline by `monotonicMs`: nothing is committed after it */
export function callJob<Name extends keyof JobCalls>(
  database: StoreQueries,
  name: Name,
  request: JobCalls[Name]["request"],
  deadline: number = Number.POSITIVE_INFINITY,
): Promise<JobCalls[Name]["reply"]> {
  const untilDeadline: StoreQueries = {
    run: (query, values) => database.run(query, values),
    transaction: (work) => database.transaction(work, deadline),
  };
  return jobFunctions[name](untilDeadline, request);
}
