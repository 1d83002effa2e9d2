import type { Utterance } from "./utterance.ts";

/** A request to a model in no API's form: every API's `readRequest` fills all of it. */
export interface Conversation {
  /** Empty if the body names none. */
  readonly model: string;
  /** System and developer texts are messages too, wherever the API keeps them. */
  readonly messages: readonly Utterance[];
  readonly tools: readonly Tool[];
  readonly tool_choice: ToolChoice;
  /** Null: as the API decides. */
  readonly parallel_tool_calls: boolean | null;
  readonly sampling: Sampling;
  /** Texts at which the model stops. */
  readonly stop: readonly string[];
  readonly format: AnswerFormat;
  /** As the APIs name it, such as `low`; null: as the model decides. */
  readonly reasoning_effort: string | null;
  readonly stream: boolean;
  /** Whether a stream ends with its usage. */
  readonly stream_usage: boolean;
}

export interface Tool {
  readonly name: string;
  readonly description: string | null;
  /** A JSON schema; null: the tool takes nothing. */
  readonly parameters: Readonly<Record<string, unknown>> | null;
  readonly strict: boolean | null;
}

/** An object names the only tool that may be called, and must be. */
export type ToolChoice = "auto" | "none" | "required" | { readonly name: string };

export type AnswerFormat =
  | { readonly kind: "text" | "json_object" }
  | {
      readonly kind: "json_schema";
      readonly name: string;
      readonly schema: Readonly<Record<string, unknown>>;
      readonly strict: boolean | null;
    };

/** Null: not set. */
export interface Sampling {
  readonly temperature: number | null;
  readonly top_p: number | null;
  readonly top_k: number | null;
  readonly min_p: number | null;
  readonly repetition_penalty: number | null;
  readonly frequency_penalty: number | null;
  readonly presence_penalty: number | null;
  readonly seed: number | null;
  readonly max_tokens: number | null;
  /** How many answers are asked for. */
  readonly n: number | null;
  /** How many alternatives each token's log probabilities list, perhaps 0; null: none are asked for. */
  readonly top_logprobs: number | null;
}

/** A request that was read. */
export interface ReadRequest {
  readonly conversation: Conversation;
  /**
   * What the body says and a conversation cannot: names of members such as `logit_bias` or
   * `messages[].content[].cache_control`, each once. Members that are null or empty lists say nothing.
   */
  readonly unsupported: readonly string[];
  /** Of these, members that the API has, with values that it does not have. */
  readonly malformed: readonly string[];
}

/** A request that was written. */
export interface WrittenRequest {
  readonly body: Record<string, unknown>;
  /** What the conversation says and the API cannot, by the conversation's names. */
  readonly unsupported: readonly string[];
}
