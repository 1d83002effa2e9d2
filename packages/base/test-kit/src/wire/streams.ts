import { type EndpointName, endpointsByName } from "@proj/model-apis";
import type { StreamOptions } from "@proj/model-apis/conversation";
import type { ChatCompletion } from "./chat-completion.ts";
import type { MessageObject } from "./message-object.ts";
import type { ResponseObject } from "./response-object.ts";

export interface AnswerStreamOptions {
  /** Characters in each delta; content with log probabilities is split by token instead. @default 5 */
  readonly pieceLength?: number;
}

export interface ChatStreamOptions extends AnswerStreamOptions {
  /** Ends with the usage in a chunk without choices. @default true */
  readonly usage?: boolean;
  /** Ends with `[DONE]`. @default true */
  readonly done?: boolean;
}

/** The events of a stream that adds up to the completion, one buffer each; choices take turns. */
export function chatStream(completion: ChatCompletion, options: ChatStreamOptions = {}): Buffer[] {
  const { usage = true, done = true } = options;
  const tokens = completion.choices.map(
    ({ logprobs }) => logprobs?.content.map(({ token }) => token) ?? [],
  );
  const told = usage ? {} : { usage };
  const events = stream("chat_completions", completion, options, { tokens, ...told });
  return done ? events : events.slice(0, -1);
}

/** The events of a stream that adds up to the message, one buffer each. */
export const messageStream = (
  message: MessageObject,
  options: AnswerStreamOptions = {},
): Buffer[] => stream("messages", message, options);

/** The events of a stream that ends with the response, one buffer each. */
export const responseStream = (
  response: ResponseObject,
  options: AnswerStreamOptions = {},
): Buffer[] => stream("responses", response, options);

function stream(
  api: EndpointName,
  answer: object,
  { pieceLength = 5 }: AnswerStreamOptions,
  more: StreamOptions = {},
): Buffer[] {
  const options = { cut: (text: string) => cutText(text, pieceLength), ...more };
  const events = endpointsByName[api].writeStream?.({ ...answer }, options) ?? [];
  return events.map((event) => Buffer.from(event));
}

/** Splits a text between characters, never inside one. */
function cutText(text: string, length: number): readonly string[] {
  const characters = Array.from(text);
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; start += length)
    pieces.push(characters.slice(start, start + length).join(""));
  return pieces;
}

/** A value as the UTF-8 bytes of its JSON. */
export const jsonBytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
