import type { EnvironmentRow, StepPage, StepQuery, StoredSession } from "../store.ts";

export interface ReaderCalls {
  readonly readSession: { readonly request: string; readonly reply: StoredSession };
  readonly readEnvironment: { readonly request: string; readonly reply: EnvironmentRow | null };
  readonly readLatestSuccessStep: {
    readonly request: { readonly session_id: string; readonly model: string };
    readonly reply: number | null;
  };
  readonly readSteps: { readonly request: StepQuery; readonly reply: StepPage };
  readonly ping: { readonly request: null; readonly reply: null };
}
