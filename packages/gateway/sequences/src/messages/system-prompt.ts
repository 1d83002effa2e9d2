import { isObject } from "./canonical-json.ts";
import type { Conversation } from "./conversation.ts";
import { readMessage } from "./message-views.ts";

/**
 * Whether a request has nothing of an earlier conversation, and another system prompt: so begin subagents and side calls
 * that do not say what they are.
 */
export function isUnrelated(earlier: Conversation, later: Conversation): boolean {
  if (earlier.messages === null || later.messages === null) return false;
  const change = changedSystem(earlier, later);
  if (change === null || change.detail !== null) return false;
  const said = (conversation: Conversation): readonly string[] =>
    conversation
      .read("without_reasoning")
      .filter(({ at }) => at >= systemOf(conversation).length)
      .map(({ text }) => text);
  const known = new Set(said(earlier));
  return known.size > 0 && !said(later).some((text) => known.has(text));
}

/** Null: the system prompts read alike. */
export function changedSystem(
  earlier: Conversation,
  later: Conversation,
): { readonly detail: string | null } | null {
  const [before, now] = [systemOf(earlier), systemOf(later)];
  if (readsAlike(before, now)) return null;
  const isBilling = readsAlike(withoutBilling(before), withoutBilling(now));
  return { detail: isBilling ? "billing_block" : null };
}

/** Whether a template shows no difference: ids of items, say, change with every compaction. */
const readsAlike = (before: readonly unknown[], now: readonly unknown[]): boolean =>
  before.length === now.length &&
  before.every(
    (message, at) => readMessage(message, "as_sent") === readMessage(now[at], "as_sent"),
  );

export const systemRoles: ReadonlySet<unknown> = new Set(["system", "developer"]);

function systemOf({ messages }: Conversation): readonly unknown[] {
  const all = messages ?? [];
  const end = all.findIndex((message) => !isObject(message) || !systemRoles.has(message.role));
  return end === -1 ? all : all.slice(0, end);
}

/** Claude Code sends a first block whose text changes with every request. */
function withoutBilling(system: readonly unknown[]): readonly unknown[] {
  return system.map((message) => {
    if (!isObject(message) || !Array.isArray(message.content)) return message;
    const content = message.content.filter(
      (part: unknown) =>
        !isObject(part) ||
        typeof part.text !== "string" ||
        !part.text.startsWith("x-anthropic-billing-header:"),
    );
    return { ...message, content };
  });
}
