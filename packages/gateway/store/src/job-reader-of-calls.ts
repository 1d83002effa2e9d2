import type { EnvironmentRow } from "./environment-row.ts";
import type { JobFeedPage, JobFeedQuery } from "./finished-groups.ts";
import type { JobReads } from "./job-reader.ts";
import type {
  EnvironmentPage,
  EnvironmentQuery,
  JobStore,
  JobSummary,
  UsagePage,
  UsageQuery,
} from "./job-store.ts";
import type { JobReadCalls } from "./queries/jobs/job-calls.ts";
import type { StepPage, StepQuery } from "./store.ts";

export interface JobReaderParts {
  readonly storage_type: JobStore["storage_type"];
  readonly storage_id: string;
  readonly call: <Name extends keyof JobReadCalls>(
    name: Name,
    request: JobReadCalls[Name]["request"],
  ) => Promise<JobReadCalls[Name]["reply"]>;
  readonly readSteps: (query: StepQuery) => Promise<StepPage>;
  readonly close: () => Promise<void>;
}

/** A JobReader over any database. */
export class JobReaderOfCalls implements JobReads {
  readonly storage_type: JobStore["storage_type"];
  readonly storage_id: string;
  readonly readSteps: JobReaderParts["readSteps"];
  readonly close: JobReaderParts["close"];
  readonly #call: JobReaderParts["call"];

  constructor({ storage_type, storage_id, call, readSteps, close }: JobReaderParts) {
    this.storage_type = storage_type;
    this.storage_id = storage_id;
    this.readSteps = readSteps;
    this.close = close;
    this.#call = call;
  }

  readEnvironments(query: EnvironmentQuery): Promise<EnvironmentPage> {
    return this.#call("readEnvironments", query);
  }

  readEnvironment(session_id: string): Promise<EnvironmentRow | null> {
    return this.#call("readEnvironment", session_id);
  }

  readJob(job_id: string): Promise<JobSummary | null> {
    return this.#call("readJob", job_id);
  }

  readJobs(): Promise<readonly JobSummary[]> {
    return this.#call("readJobs", undefined);
  }

  readFeed(query: JobFeedQuery): Promise<JobFeedPage | null> {
    return this.#call("readFeed", query);
  }

  readUsage(query: UsageQuery): Promise<UsagePage> {
    return this.#call("readUsage", query);
  }

  hasStep(session_id: string, model: string, step_id: number): Promise<boolean> {
    return this.#call("hasStep", { session_id, model, step_id });
  }

  readLargestSuccessStep(session_id: string, model: string): Promise<number | null> {
    return this.#call("readLargestSuccessStep", { session_id, model });
  }
}
