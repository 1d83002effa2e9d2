import { hash } from "node:crypto";
import type { ChatMessage } from "@proj/model-apis";
import type { ChatPrompt } from "../rendering/renderer.ts";

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

interface MessageKey {
  readonly key: string;
  /** The key of all messages before it, and that with it. */
  readonly before: string;
  readonly beginning: string;
}

/** By the message itself: a step repeats those of the step before it, which are not digested again. */
const known = new WeakMap<ChatMessage, MessageKey>();

export function conversationKeys(messages: readonly ChatMessage[]): ConversationKeys {
  const keys: string[] = [];
  const beginnings = [""];
  let before = "";
  for (const message of inOrder(messages)) {
    const { key, beginning } = keyBehind(before, message);
    keys.push(key);
    beginnings.push(beginning);
    before = beginning;
  }
  return { messages: keys, beginnings };
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
  const said = typeof content === "string" ? content.trim() : content;
  return JSON.stringify([role, calls.length > 0 ? calls : said]);
}

/** Results of parallel calls come in any order, and agents change it from request to request. */
function inOrder(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const ordered = [...messages];
  for (let start = 0; start < ordered.length; start += 1) {
    let end = start;
    while (ordered[end]?.role === "tool") end += 1;
    if (end - start < 2) continue;
    const results = ordered.slice(start, end).toSorted(byCall);
    ordered.splice(start, results.length, ...results);
    start = end;
  }
  return ordered;
}

const byCall = (one: ChatMessage, other: ChatMessage): number =>
  (one.tool_call_id ?? "") < (other.tool_call_id ?? "") ? -1 : 1;

const digest = (text: string): string => hash("sha256", text, "base64").slice(0, 22);
