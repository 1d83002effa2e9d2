import type { StepAmendment } from "../store.ts";
import type { StepBatch } from "./step-batch.ts";
import type { StepsWritten } from "./step-writer.ts";
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
    readonly reply: StepsWritten;
  };
  readonly amend: { readonly request: readonly StepAmendment[]; readonly reply: null };
  readonly ping: { readonly request: null; readonly reply: null };
}
