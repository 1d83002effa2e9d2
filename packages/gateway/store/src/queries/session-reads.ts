/** The reads of a SessionStore that are the same for all databases. */
export { readFork } from "./forks/read-fork.ts";
export { readFeed } from "./jobs/read-feed.ts";
export { findEnvironments } from "./read-environment.ts";
export { readLatestSuccessStep } from "./read-latest-success-step.ts";
export { readSession } from "./read-session.ts";
export { readSteps } from "./read-steps.ts";
export { readRoutes } from "./routes/read-routes.ts";
export { readConversations } from "./sessions/conversations.ts";
export { readResponses } from "./sessions/read-responses.ts";
