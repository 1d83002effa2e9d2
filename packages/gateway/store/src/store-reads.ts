import type { EnvironmentRow } from "./environment-row.ts";
import type { JobFeedPage, JobFeedQuery } from "./finished-groups.ts";
import type { CallsOf } from "./queries/query-calls.ts";
import type * as sessionReads from "./queries/session-reads.ts";
import type { RouteState } from "./route-state.ts";
import type { SessionFork } from "./session-fork.ts";
import type {
  SessionStore,
  StepPage,
  StepQuery,
  StoredConversation,
  StoredResponse,
  StoredSession,
} from "./store.ts";

export type SessionReadCalls = CallsOf<typeof sessionReads>;

type CallRead = <Name extends keyof SessionReadCalls>(
  name: Name,
  request: SessionReadCalls[Name]["request"],
) => Promise<SessionReadCalls[Name]["reply"]>;

type Reads =
  | ("readFork" | "readSession" | "findEnvironments" | "readResponses" | "readConversations")
  | ("readFeed" | "readLatestSuccessStep" | "readSteps" | "readRoutes");

/** What a SessionStore reads in the same way whatever its database is. */
export class StoreReads implements Pick<SessionStore, Reads> {
  readonly #call: CallRead;

  constructor(call: CallRead) {
    this.#call = call;
  }

  readFork(session_id: string): Promise<SessionFork | null> {
    return this.#call("readFork", session_id);
  }

  readSession(session_id: string): Promise<StoredSession> {
    return this.#call("readSession", session_id);
  }

  findEnvironments(session_ids: readonly string[]): Promise<readonly EnvironmentRow[]> {
    return this.#call("findEnvironments", session_ids);
  }

  readResponses(session_id: string): Promise<readonly StoredResponse[]> {
    return this.#call("readResponses", session_id);
  }

  readConversations(session_id: string): Promise<readonly StoredConversation[]> {
    return this.#call("readConversations", session_id);
  }

  readRoutes(): Promise<readonly RouteState[]> {
    return this.#call("readRoutes", undefined);
  }

  readFeed(query: JobFeedQuery): Promise<JobFeedPage | null> {
    return this.#call("readFeed", query);
  }

  readLatestSuccessStep(session_id: string, model: string): Promise<number | null> {
    return this.#call("readLatestSuccessStep", { session_id, model });
  }

  readSteps(query: StepQuery): Promise<StepPage> {
    return this.#call("readSteps", query);
  }
}
