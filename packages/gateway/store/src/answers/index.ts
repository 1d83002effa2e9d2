export {
  type ConversationStep,
  type ReplayedFrom,
  readConversation,
} from "../conversation/conversation.ts";
export { sessionSteps, type WholeStep } from "../conversation/session-steps.ts";
export { asJson, isJson, stepJson } from "../conversation/step-json.ts";
export { countToolFailures, transcriptOf } from "../conversation/transcript.ts";
export { BadJudgementError, type Judgement, judgementsIn, readJudgements } from "../judgements.ts";
export {
  type JobsBody,
  jobs,
  rows,
  type Simulation,
  type SimulationsBody,
  type SummaryBody,
  simulations,
  summary,
  type UsageBody,
  usage,
} from "./browse.ts";
export { fromUncalled } from "./find-page.ts";
export { errorOfStep } from "./last-words.ts";
export { numberOf, QueryError } from "./query.ts";
export {
  noReview,
  type ReviewBody,
  type ReviewedStore,
  ReviewQueue,
} from "./review-queue.ts";
export { type ScoresBody, scores, scoresOf } from "./scores.ts";
export {
  type BegunSession,
  type FindLive,
  type LiveState,
  type StoredSession,
  type StoredSessionsBody,
  storedSessions,
} from "./stored-sessions.ts";
export { type ToolUse, totalTools } from "./tool-tally.ts";
export { type JobToolsBody, sessionTools, type ToolsBody, tools } from "./tools.ts";
