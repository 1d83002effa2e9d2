import { createHash } from "node:crypto";
import type { ChatMessage } from "@proj/model-apis";
import type { ChatPrompt } from "../rendering/renderer.ts";

/**
 * One key for each message. Equal keys mean the same message: agents trim the model's text, drop its thinking and
 * write its arguments in another form, so an answer is known by the ids of its tool calls, or else by its text.
 */
export function messageKeys(messages: readonly ChatMessage[]): readonly string[] {
  return inOrder(messages).map((message) => digest(identityOf(message)));
}

/** Keys of a conversation's beginnings: element n is that of its first n messages. */
export function beginningKeys(messages: readonly string[]): readonly string[] {
  const keys = [""];
  for (const key of messages) keys.push(nextBeginning(keys.at(-1) ?? "", key));
  return keys;
}

/** The key of a beginning that is one message longer. */
export const nextBeginning = (beginning: string, message: string): string =>
  digest(`${beginning}\n${message}`);

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

const digest = (text: string): string =>
  createHash("sha256").update(text).digest("base64").slice(0, 22);
