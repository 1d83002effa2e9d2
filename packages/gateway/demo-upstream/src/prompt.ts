import type { AnswerFormat, Tool, ToolChoice } from "@proj/model-apis/conversation";
import type { Toys } from "./toys.ts";

/** A request as the model sees it, whatever its API. */
export interface Prompt {
  readonly model: string;
  readonly turns: readonly Turn[];
  readonly tools: readonly Tool[];
  readonly toolChoice: ToolChoice;
  readonly format: AnswerFormat;
  readonly choices: number;
  readonly maxTokens: number | null;
  readonly stop: readonly string[];
  /** How many alternatives each token's log probabilities list; null: none requested. */
  readonly topLogprobs: number | null;
  readonly toys: Toys;
}

export interface Turn {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly text: string;
  /** The assistant's thinking before this turn. */
  readonly thinking: string;
  /** The tools that it called. */
  readonly calls: readonly Call[];
}

export interface Call {
  readonly name: string;
  /** As the model wrote them. */
  readonly arguments: string;
}
