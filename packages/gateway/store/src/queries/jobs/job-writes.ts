/** All writes of a JobStore, each in its own transaction. */
export { prunePart } from "../prune/prune-sessions.ts";
export { writeReview } from "../scores/reviews.ts";
export { writeScores } from "../scores/write-scores.ts";
export { addSimulations } from "./add-simulations.ts";
export { claim } from "./claim.ts";
export { commitReward } from "./commit-reward.ts";
export { failAttempt as fail } from "./fail-attempt.ts";
export { heartbeat } from "./heartbeat.ts";
export { interrupt, interruptStale } from "./interrupt.ts";
export { replaceReward } from "./replace-reward.ts";
export { retryFailed } from "./retry-failed.ts";
