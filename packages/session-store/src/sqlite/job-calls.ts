import type { JobReads, JobTransactions } from "../queries/jobs/job-queries.ts";
import type { Transaction } from "../queries/transaction.ts";
import type { ThreadData } from "./thread-messages.ts";

export interface JobData extends ThreadData {
  readonly synchronous: "full" | "normal";
  readonly busyTimeoutMs: number;
}

/** Each takes what its query takes, and replies what comes out of it. */
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
