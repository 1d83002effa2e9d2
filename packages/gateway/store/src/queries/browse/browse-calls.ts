import type { StoreQueries } from "../../dialect.ts";
import type { StoreBrowser } from "../../store-browser.ts";
import type { CallFunctions, CallsOf } from "../query-calls.ts";
import * as browseReads from "./browse-reads.ts";

export type BrowseCalls = CallsOf<typeof browseReads>;

type CallBrowse = <Name extends keyof BrowseCalls>(
  name: Name,
  request: BrowseCalls[Name]["request"],
) => Promise<BrowseCalls[Name]["reply"]>;

/** A StoreBrowser over any database. */
export const browserOfCalls = (call: CallBrowse): StoreBrowser => ({
  findSessions: (search) => call("findSessions", search),
  readSummary: (session_id) => call("readSummary", session_id),
  readRows: (query) => call("readRows", query),
  readJobs: () => call("readJobs", undefined),
  readJob: (job_id) => call("readJob", job_id),
  readEnvironments: (query) => call("readEnvironments", query),
  readUsage: (query) => call("readUsage", query),
});

const functions: CallFunctions<BrowseCalls> = browseReads;

export const browserOf = (database: StoreQueries): StoreBrowser =>
  browserOfCalls((name, request) => functions[name](database, request));
