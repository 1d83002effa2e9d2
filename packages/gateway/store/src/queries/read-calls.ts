import type * as browseReads from "./browse/browse-reads.ts";
import type * as jobReads from "./jobs/job-reads.ts";
import type { CallsOf } from "./query-calls.ts";
import type * as sessionReads from "./session-reads.ts";

export type SessionReadCalls = CallsOf<typeof sessionReads>;
export type JobReadCalls = CallsOf<typeof jobReads>;
export type BrowseCalls = CallsOf<typeof browseReads>;
