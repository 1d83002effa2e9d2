import type { ChatPrompt } from "../rendering/renderer.ts";
import type { Turn } from "./turn.ts";

/** Why a prompt was rendered although its session had something to continue; in the words of `sequences`. */
export type RenderReason =
  | "ambiguous_parent"
  | "compacted"
  | "history_rewritten"
  | "images"
  | "not_in_memory"
  | "prefill"
  | "system_changed"
  | "template"
  | "thinking_stripped"
  | "tools_changed"
  | "truncated_parent";

/**
 * Why a request continues none of these turns; null if it begins a conversation of its own.
 * @param messages keys of the request's messages
 * @param answers keys of what the model has answered, and behind how many messages
 */
export function explainBreak(
  turns: readonly Turn[],
  request: ChatPrompt,
  messages: readonly string[],
  answers: ReadonlyMap<string, number>,
): RenderReason | null {
  const system = request.messages[0]?.role === "system" ? 1 : 0;
  let nearest: { readonly shared: number; readonly turn: Turn } | null = null;
  for (const turn of turns) {
    const shared = sharedLength(turn.messages, messages);
    if (nearest === null || shared >= nearest.shared) nearest = { shared, turn };
  }
  if (nearest === null) return null;
  const { shared, turn } = nearest;
  if (shared <= system) {
    // The system text alone is what subagents and side calls have in common, too.
    const sameUser = turns.some((other) => other.messages[system] === messages[system]);
    if (sameUser && system === 1 && shared === 0) return "system_changed";
    // The latest answers may be kept behind a summary of what was before them.
    const kept = messages.findIndex((key) => answers.has(key));
    if (kept < 0) return null;
    return kept < (answers.get(messages[kept] ?? "") ?? 0) ? "compacted" : "history_rewritten";
  }
  // A summary takes the place of what was said.
  const isNewText = request.messages[shared]?.role !== "assistant";
  return isNewText && messages.length < turn.messages.length ? "compacted" : "history_rewritten";
}

function sharedLength(one: readonly string[], other: readonly string[]): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
