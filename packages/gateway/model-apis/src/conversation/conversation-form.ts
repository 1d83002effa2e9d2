import type { Utterance } from "./utterance.ts";

/** Where an API's bodies keep what was said. */
export interface ConversationForm {
  /** The request's growing member, valid JSON, as the texts of single messages. */
  messagesOf(history: string): readonly string[];
  /** The content of the system text that a request has beside its history; null if none. */
  systemOf(request: Readonly<Record<string, unknown>>): unknown;
  /** The model's messages; null if the answer has another form. */
  answersOf(response: Readonly<Record<string, unknown>>): readonly Utterance[] | null;
  /** What the next request repeats of an answer, as the texts of messages; null: the answer has another form. */
  repeatedOf(response: string): readonly string[] | null;
  /** Members that a request leaves out if it names the one that it continues, and that apply all the same. */
  readonly inherited: readonly string[];
  /** Whether a tool's result can say that the tool failed: Anthropic's `is_error`, Google's `error`; OpenAI's cannot. */
  readonly marksFailures: boolean;
}

/** The JSON text of a message of the user with this content, itself a JSON text. */
export const userMessage = (content: string): string => `{"role":"user","content":${content}}`;
