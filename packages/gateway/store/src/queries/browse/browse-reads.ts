/** The reads of a StoreBrowser. */
export { readAttempts } from "../jobs/read-attempts.ts";
export { readJob, readJobs } from "../jobs/read-jobs.ts";
export { readUsage } from "../jobs/read-usage.ts";
export { readScores } from "../scores/read-scores.ts";
export { findSessions } from "./find-sessions.ts";
export { findUncalled } from "./find-uncalled.ts";
export { readNeighbours } from "./read-neighbours.ts";
export { readRows } from "./read-rows.ts";
export { readSummary } from "./read-summary.ts";
export { readToolSteps } from "./read-tool-steps.ts";
