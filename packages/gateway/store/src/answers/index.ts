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
export { errorOfStep } from "./last-words.ts";
export { numberOf, QueryError } from "./query.ts";
export { type ScoresBody, scores, scoresOf } from "./scores.ts";
export {
  type BegunSession,
  type FindLive,
  type LiveState,
  type StoredSession,
  type StoredSessionsBody,
  storedSessions,
} from "./stored-sessions.ts";
