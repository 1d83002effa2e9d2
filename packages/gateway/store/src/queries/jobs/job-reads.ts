/** The reads of a JobStore that are quick. */
export { readFork } from "../forks/read-fork.ts";
export { findPrunable } from "../prune/find-prunable.ts";
export { readEnvironment, readLatestAttempt } from "../read-environment.ts";
export { readScores } from "../scores/read-scores.ts";
export { readReview } from "../scores/reviews.ts";
export { hasStep } from "./find-step.ts";
export { readEnvironments } from "./read-environments.ts";
export { readFeed } from "./read-feed.ts";
export { readJob, readJobs } from "./read-jobs.ts";
export { readLargestSuccessStep, readLastSuccess } from "./read-largest-success-step.ts";
export { readLastCall } from "./read-last-call.ts";
export { readUsage } from "./read-usage.ts";
