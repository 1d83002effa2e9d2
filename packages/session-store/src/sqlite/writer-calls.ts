import type { StepAmendment } from "../store.ts";
import type { StepBatch } from "./step-batch.ts";
import type { StepException } from "./step-writer.ts";
import type { ThreadData } from "./thread-messages.ts";
import type { WriterStatements } from "./writer-statements.ts";

export interface WriterData extends ThreadData {
  readonly synchronous: "full" | "normal";
  readonly busyTimeoutMs: number;
  readonly statements: WriterStatements;
}

export interface WriterCalls {
  readonly write: {
    readonly request: StepBatch;
    /** Null: every step was stored whole under its own number. */
    readonly reply: readonly StepException[] | null;
  };
  readonly amend: { readonly request: readonly StepAmendment[]; readonly reply: null };
  readonly ping: { readonly request: null; readonly reply: null };
}
