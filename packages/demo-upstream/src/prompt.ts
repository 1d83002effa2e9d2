/** What both endpoints' requests come down to. */
export interface Prompt {
  readonly model: string;
  readonly turns: readonly Turn[];
  readonly tools: readonly Tool[];
  /** A single-element list names the one tool that must be called. */
  readonly toolChoice: "auto" | "none" | "required" | readonly [string];
  readonly format: AnswerFormat;
  readonly choices: number;
  readonly maxTokens: number | null;
  readonly stop: readonly string[];
  /** How many alternatives each token's log probabilities list; null: none were asked for. */
  readonly topLogprobs: number | null;
}

export interface Turn {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly text: string;
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
