export type { Ledger, LedgerEntry, LossReason } from "./records/ledger.ts";
export type { Sequence, Span, SpanKind, Split, SplitReason, Trim } from "./records/sequence.ts";
export type { Agent, Step, VersionSpan } from "./records/step.ts";
export { type SequenceOptions, sequences } from "./sequences.ts";
export type { SideCallOptions } from "./side-calls.ts";
export { cutFinishes } from "./tree/explain-split.ts";
export {
  type PromptResponse,
  promptResponse,
  type ShiftedSequence,
  shifted,
} from "./views.ts";
