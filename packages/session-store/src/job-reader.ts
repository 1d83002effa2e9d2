import type { JobStore } from "./job-store.ts";
import type { StoreBrowser } from "./store-browser.ts";

/** What a JobStore tells. */
export type JobReads = Pick<
  JobStore,
  | "storage_type"
  | "storage_id"
  | "readEnvironments"
  | "readEnvironment"
  | "readJob"
  | "readJobs"
  | "readFeed"
  | "readUsage"
  | "readSteps"
  | "hasStep"
  | "readLargestSuccessStep"
  | "close"
>;

/** A storage that is not to be changed: neither made, nor brought up to date. */
export interface JobReader extends JobReads {
  readonly browser: StoreBrowser;
}
