import type { Transaction } from "../transaction.ts";
import type { JobReads, JobTransactions } from "./job-queries.ts";

/** What a database of jobs can be asked for. Each takes what its query takes, and replies what comes out of it. */
export type JobCalls = {
  readonly [Name in keyof JobTransactions]: {
    readonly request: Parameters<JobTransactions[Name]>[0];
    readonly reply: ReturnType<JobTransactions[Name]> extends Transaction<infer Result>
      ? Result
      : never;
  };
} & {
  readonly [Name in keyof JobReads]: {
    readonly request: Parameters<JobReads[Name]>[0];
    readonly reply: Awaited<ReturnType<JobReads[Name]>>;
  };
};

export type CallJob = <Name extends keyof JobCalls>(
  name: Name,
  request: JobCalls[Name]["request"],
) => Promise<JobCalls[Name]["reply"]>;
