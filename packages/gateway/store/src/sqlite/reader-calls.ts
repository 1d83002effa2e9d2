import type { BrowseCalls } from "../queries/browse/browse-calls.ts";
import type { JobReadCalls } from "../queries/jobs/job-calls.ts";
import type { SessionReadCalls } from "../store-reads.ts";

export type ReaderCalls = JobReadCalls &
  BrowseCalls &
  SessionReadCalls & {
    /** Replies with the `storage_id` if this program knows the schema. */
    readonly open: { readonly request: null; readonly reply: string };
    readonly ping: { readonly request: null; readonly reply: null };
  };
