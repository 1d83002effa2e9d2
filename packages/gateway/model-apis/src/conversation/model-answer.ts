import type { TokenCounts } from "../facts/token-counts.ts";
import type { UtterancePart } from "./utterance.ts";

/** A model's answer in no API's form. */
export interface ModelAnswer {
  /** Without an API's prefix; every id in the written answer is made from it. */
  readonly id: string;
  readonly model: string;
  /** Seconds since the epoch. */
  readonly created: number;
  /** At least one; APIs with a single answer take the first. */
  readonly choices: readonly [AnswerChoice, ...AnswerChoice[]];
  readonly usage: TokenCounts;
}

export interface AnswerChoice {
  /** Reasoning, text or a refusal, and tool calls. */
  readonly parts: readonly UtterancePart[];
  readonly finish: FinishReason;
}

export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter";

/** How an answer is cut into the events of a stream. */
export interface StreamOptions {
  /** The pieces of a text, which join to it again. @default the text as a whole */
  readonly cut?: (text: string) => readonly string[];
  /** Whether a stream of choices has a chunk of usage. @default whether the answer has a usage */
  readonly usage?: boolean;
  /**
   * The tokens of each choice, which become one chunk each, with their log probability and id. A token that is
   * not in the text, such as a mark around a tool call, becomes an empty chunk. @default none
   */
  readonly tokens?: readonly (readonly string[])[];
}

/** The texts of the parts of one kind, joined. */
export function textOf(
  parts: readonly UtterancePart[],
  kind: "text" | "reasoning" | "refusal",
): string {
  return parts.flatMap((part) => (part.kind === kind ? [part.text] : [])).join("");
}

/** The tool calls among the parts. */
export function callsOf(parts: readonly UtterancePart[]): readonly ToolCallPart[] {
  return parts.filter((part) => part.kind === "tool_call");
}

export type ToolCallPart = Extract<UtterancePart, { kind: "tool_call" }>;
