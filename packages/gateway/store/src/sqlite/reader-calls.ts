import type { CallsOf } from "../queries/query-calls.ts";
import type { BrowseCalls, JobReadCalls, SessionReadCalls } from "../queries/read-calls.ts";
import type { readBinding } from "../queries/sessions/read-binding.ts";

export type ReaderCalls = JobReadCalls &
  BrowseCalls &
  SessionReadCalls &
  CallsOf<{ readBinding: typeof readBinding }> & {
    /** Replies with the `storage_id` if this program knows the schema. */
    readonly open: { readonly request: null; readonly reply: string };
    readonly ping: { readonly request: null; readonly reply: null };
  };
