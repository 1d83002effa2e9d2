import type { Toys } from "./toys.ts";

/** The common form of all endpoints' requests. */
export interface Prompt {
  readonly model: string;
  readonly turns: readonly Turn[];
  readonly tools: readonly Tool[];
  /** A single-element list names the only tool that must be called. */
  readonly toolChoice: "auto" | "none" | "required" | readonly [string];
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
  /** The assistant's thinking before this turn; @default nothing */
  readonly thinking?: string;
  /** The tools that it called; @default none */
  readonly calls?: readonly Call[];
}

export interface Call {
  readonly name: string;
  /** As the model wrote them. */
  readonly arguments: string;
}

export interface Tool {
  readonly name: string;
  /** JSON schema of the arguments. */
  readonly parameters: unknown;
}

export type AnswerFormat =
  | { readonly kind: "text" }
  | { readonly kind: "json_object" }
  | { readonly kind: "json_schema"; readonly schema: unknown };
