import type { JobStore } from "./job-store.ts";
import type { StoreBrowser } from "./store-browser.ts";

/** The part of a JobStore that reads. */
export type JobReads = Pick<
  JobStore,
  | "storage_type"
  | "storage_id"
  | "readEnvironments"
  | "readEnvironment"
  | "readLatestAttempt"
  | "readJob"
  | "readJobs"
  | "readFeed"
  | "readUsage"
  | "readSteps"
  | "hasStep"
  | "readLastCall"
  | "readScores"
  | "readLargestSuccessStep"
  | "readLastSuccess"
  | "findPrunable"
  | "close"
>;

/** A read-only view of a storage: it neither creates the storage nor updates its schema. */
export interface JobReader extends JobReads {
  readonly browser: StoreBrowser;
}
