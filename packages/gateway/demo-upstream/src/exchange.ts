import type { JsonObject } from "./json-object.ts";
import type { Completion } from "./model.ts";
import type { Prompt } from "./prompt.ts";

/** One request and the model's completions: everything an answer is written from. */
export interface Exchange {
  readonly body: JsonObject;
  readonly prompt: Prompt;
  readonly completions: readonly Completion[];
  /** Hexadecimal, equal for equal bodies; every id in the answer is made from it. */
  readonly hash: string;
  /** Seconds since the epoch. */
  readonly created: number;
}

const noCompletion: Completion = { thinking: "", tokens: [], tool: null, finish: "stop" };

/** For the APIs with a single answer. */
export function firstCompletion({ completions }: Exchange): Completion {
  return completions[0] ?? noCompletion;
}

export function callId(exchange: Exchange, choice: number): string {
  return `call_${exchange.hash.slice(0, 22)}${String(choice).padStart(2, "0")}`;
}
