import { hash } from "node:crypto";
import type { ChatMessage } from "@proj/model-apis";
import type { ChatPrompt } from "../rendering/renderer.ts";
import type { OwnCalls } from "./own-calls.ts";

/** What a conversation is found by. */
export interface ConversationKeys {
  /**
   * One key for each message. Equal keys mean the same message: agents trim the model's text, drop its thinking and
   * write its arguments in another form, so an answer is known by the ids of its tool calls, or else by its text.
   */
  readonly messages: readonly string[];
  /** Element n is the key of the first n messages. */
  readonly beginnings: readonly string[];
}

/** A conversation as the session knows it. */
export interface KnownConversation extends ConversationKeys {
  /** The messages, with the session's own ids of calls. */
  readonly own: readonly ChatMessage[];
  /** How many messages are before one that may be several answers; null: none may. */
  readonly ambiguous: number | null;
}

interface MessageKey {
  readonly key: string;
  /** The key of all messages before it, and that with it. */
  readonly before: string;
  readonly beginning: string;
}

/** By the message itself: a step repeats those of the step before it, which are not digested again. */
const known = new WeakMap<ChatMessage, MessageKey>();

export function conversationKeys(
  given: readonly ChatMessage[],
  calls: OwnCalls,
): KnownConversation {
  const own: ChatMessage[] = [];
  const messages: string[] = [];
  const beginnings = [""];
  let ambiguous: number | null = null;
  let before = "";
  const add = (message: ChatMessage): void => {
    const { key, beginning } = keyBehind(before, message);
    messages.push(key);
    beginnings.push(beginning);
    before = beginning;
  };
  let called: ChatMessage | null = null;
  let answer: ChatMessage | null = null;
  for (let at = 0; at < given.length; at = own.length) {
    const message = given[at];
    if (message === undefined) break;
    if (message.role !== "tool") {
      const { key } = keyBehind(before, message);
      const found = calls.answer(message, before, key);
      if (found === null) ambiguous ??= at;
      called = message;
      answer = found ?? message;
      own.push(answer);
      add(answer);
      continue;
    }
    let end = at;
    while (given[end]?.role === "tool") end += 1;
    const results = calls.results(
      given.slice(at, end),
      before,
      called?.tool_calls ?? [],
      answer?.tool_calls ?? [],
    );
    own.push(...results);
    // Results of parallel calls come in any order, and agents change it from request to request.
    for (const result of results.toSorted(byCall)) add(result);
  }
  return { own, messages, beginnings, ambiguous };
}

/** The key of a message behind others, and that of the conversation with it. @param before their key */
export function keyBehind(before: string, message: ChatMessage): MessageKey {
  const found = known.get(message);
  if (found?.before === before) return found;
  const key = found?.key ?? digest(identityOf(message));
  const made = { key, before, beginning: digest(`${before}\n${key}`) };
  known.set(message, made);
  return made;
}

export const toolsKey = ({ tools, variables }: ChatPrompt): string =>
  digest(JSON.stringify([tools, variables]));

function identityOf({ role, content, tool_calls = [], tool_call_id }: ChatMessage): string {
  if (role !== "assistant") return JSON.stringify([role, tool_call_id ?? null, content]);
  const calls = tool_calls.map(({ id }) => id).toSorted();
  return JSON.stringify([role, calls.length > 0 ? calls : saidBy(content)]);
}

/** An answer's text as it is compared: agents trim it, and some put the thinking before it. */
export const saidBy = (content: ChatMessage["content"]): ChatMessage["content"] =>
  typeof content === "string"
    ? content.replace(/^\s*<think>(?:[^<]|<(?!\/think>))*<\/think>/, "").trim()
    : content;

const byCall = (one: ChatMessage, other: ChatMessage): number =>
  (one.tool_call_id ?? "") < (other.tool_call_id ?? "") ? -1 : 1;

const digest = (text: string): string => hash("sha256", text, "base64").slice(0, 22);
