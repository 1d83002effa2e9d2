import type { CheckpointTally } from "@proj/database/sqlite";
import type { ThreadData } from "@proj/database/threads";
import type { ClosedSession } from "../queries/sessions/closes.ts";
import type { RouteChange, RouteState } from "../route-state.ts";
import type { SessionFork } from "../session-fork.ts";
import type { StepAmendment, StoredConversation } from "../store.ts";
import type { StepBatch } from "./step-batch.ts";
import type { StepsWritten } from "./step-writer.ts";
import type { WriterStatements } from "./writer-statements.ts";

export interface WriterData extends ThreadData {
  readonly synchronous: "full" | "normal";
  readonly busyTimeoutMs: number;
  readonly statements: WriterStatements;
  /** Strings from this size on are stored once, in bytes. */
  readonly largeValueBytes: number;
  /** The largest `id` that callers have seen; rows stored later get larger ones. */
  readonly after_id: number;
  readonly checkpoints: CheckpointTally;
}

export interface WriterCalls {
  readonly write: {
    readonly request: StepBatch;
    readonly reply: StepsWritten;
  };
  readonly amend: { readonly request: readonly StepAmendment[]; readonly reply: null };
  readonly changeRoute: { readonly request: RouteChange; readonly reply: RouteState };
  readonly forkSession: { readonly request: SessionFork; readonly reply: null };
  readonly keepConversation: { readonly request: ConversationRow; readonly reply: null };
  readonly closeSession: { readonly request: ClosedSession; readonly reply: null };
  readonly reopenSession: { readonly request: string; readonly reply: null };
  readonly ping: { readonly request: null; readonly reply: null };
}

export interface ConversationRow extends StoredConversation {
  readonly session_id: string;
  readonly created_at: string;
}
