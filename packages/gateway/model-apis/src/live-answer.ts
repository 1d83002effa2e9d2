import { isJsonObject, type JsonObject } from "./json/json-object.ts";

/** A part of an answer as a model generates it. */
export type AnswerPiece =
  | {
      readonly kind: "reasoning" | "text";
      readonly text: string;
      /** In OpenAI's form, if the request asked for them; of chat completions only. */
      readonly logprobs?: JsonObject;
    }
  /** A tool call begins. */
  | {
      readonly kind: "tool_call";
      readonly call: number;
      readonly id: string;
      readonly name: string;
    }
  | { readonly kind: "arguments"; readonly call: number; readonly text: string };

/** How an answer ended. */
export interface AnswerEnd {
  readonly finish: "stop" | "length" | "tool_calls" | "content_filter";
  /** The text that ended it, if the request named one. */
  readonly stop_sequence: string | null;
  readonly usage: AnswerUsage;
}

export interface AnswerUsage {
  /** All tokens of the prompt, cached ones included. */
  readonly prompt_tokens: number;
  readonly cached_tokens: number;
  /** All tokens of the answer, reasoning included. */
  readonly completion_tokens: number;
  readonly reasoning_tokens: number;
}

export interface AnswerHead {
  /** Unique; the ids of the answer and of its parts are made of it. */
  readonly request_id: string;
  readonly model: string;
  /** Seconds since the epoch. */
  readonly created: number;
  /** The request's members without its history. */
  readonly request: JsonObject;
  readonly prompt_tokens: number;
}

/** Writes an answer in one API while it is generated. */
export interface LiveAnswer {
  /** The events before the first piece. */
  begin(): string;
  piece(piece: AnswerPiece): string;
  /** The events after the last piece. */
  end(end: AnswerEnd): string;
  /** The answer as one object, once it has ended. */
  whole(): JsonObject;
}

export type OpenLiveAnswer = (head: AnswerHead) => LiveAnswer;

/** What the official clients make of a call's arguments: without any, an empty object. */
export function argumentsOf(text: string): JsonObject {
  if (text.trim() === "") return {};
  try {
    const given: unknown = JSON.parse(text);
    return isJsonObject(given) ? given : { value: given };
  } catch {
    return { text };
  }
}
