import type { Answer } from "./answer.ts";
import type { Call } from "./call.ts";

/** A call that is being answered. */
export interface RunningCall {
  readonly call: Call;
  /** Null until the headers have come. */
  answer: Answer | null;
}
