import type { JsonObject } from "./json/json-object.ts";
import type { AnswerHead, OpenLiveAnswer } from "./live-answer.ts";
import type { Overflow, OverflowError } from "./overflow.ts";

/** How an API is translated for an inference engine. */
export interface ChatTranslation {
  /** @throws NotSupportedByEngine */
  readonly read: (request: JsonObject) => ChatRequest;
  readonly open: OpenLiveAnswer;
  /** What an agent adds to its history to give an answer back: messages, or items. */
  readonly givenBack: (answer: JsonObject) => readonly unknown[];
  /** What the API's own service says of a request that does not fit into the model's context. */
  readonly overflow: (overflow: Overflow) => OverflowError;
  /** The stream of an answer that fails at once; null: the API's service refuses the request, streamed or not. */
  readonly failedStream: ((head: AnswerHead, error: OverflowError) => string) | null;
}

/**
 * A request of any API in the form that inference engines and chat templates take: Hugging Face's, which is OpenAI's
 * chat completions with a call's arguments as an object.
 */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  /** Function tools; null: none. */
  readonly tools: readonly JsonObject[] | null;
  /** Variables of the template, such as `enable_thinking`. */
  readonly variables: JsonObject;
  /** All other members of a chat completions body: sampling parameters, `tool_choice`, `response_format`. */
  readonly members: JsonObject;
  /** Members that were left out: they change nothing about what is sampled, or are not the API's. */
  readonly ignored: readonly string[];
}

export interface ChatMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  /** Parts only if there is an image among them. */
  readonly content: string | readonly ChatPart[];
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly ChatToolCall[];
  readonly tool_call_id?: string;
}

export type ChatPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: JsonObject };

export interface ChatToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: {
    readonly name: string;
    /** The text as it is if it is not an object in JSON. */
    readonly arguments: JsonObject | string;
  };
}

/** A request asks for something that an inference engine cannot do. */
export class NotSupportedByEngine extends Error {
  override readonly name = "NotSupportedByEngine";
  /** The member that asks for it, as a path. */
  readonly param: string;

  constructor(param: string, what = "it") {
    super(`'${param}': an inference engine cannot do ${what}.`);
    this.param = param;
  }
}

/** @throws NotSupportedByEngine the request has one of these members */
export function refuseMembers(request: JsonObject, names: readonly string[]): void {
  for (const name of names) {
    const value = request[name];
    const isEmpty = value === undefined || value === null || value === false;
    if (!isEmpty && !(Array.isArray(value) && value.length === 0))
      throw new NotSupportedByEngine(name);
  }
}

export const presentOf = (request: JsonObject, names: readonly string[]): readonly string[] =>
  names.filter((name) => request[name] !== undefined && request[name] !== null);
