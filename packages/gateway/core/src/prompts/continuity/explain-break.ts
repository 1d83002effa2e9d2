import type { ChatMessage } from "@proj/model-apis";
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
 * @param turns of the same agent
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
    const isShorter = messages.length < turn.messages.length;
    const kept = messages.findIndex((key) => answers.has(key));
    if (kept < 0) {
      const isOfSameAgent = shared === 1 && isShorter;
      const isQuoted = (other: Turn): boolean => quotes(request.messages, other.answer);
      return isOfSameAgent && turns.some(isQuoted) ? "compacted" : null;
    }
    // An answer in its place, behind messages that are others.
    if (turns.some((other) => other.messages[kept] === messages[kept])) return "history_rewritten";
    // The latest answers may be kept behind a summary of what was before them.
    const isEarlier = kept < (answers.get(messages[kept] ?? "") ?? 0);
    return isEarlier || isShorter ? "compacted" : "history_rewritten";
  }
  // Sent again, before the model has answered anything.
  if (shared === messages.length) return null;
  // A summary takes the place of what was said.
  const isNewText = request.messages[shared]?.role !== "assistant";
  return isNewText && messages.length < turn.messages.length ? "compacted" : "history_rewritten";
}

/** Whether the user's messages repeat the model's text, or a part of it: programs drop its tags and its analysis. */
function quotes(messages: readonly ChatMessage[], answer: ChatMessage): boolean {
  if (answer.tool_calls !== undefined) return false;
  const texts = messages.filter(({ role }) => role === "user").map(textOf);
  return textOf(answer)
    .split(/<[^<>]*>/)
    .slice(-maxParts)
    .map(longestLine)
    .some((line) => line.length >= minQuote && texts.some((text) => text.includes(line)));
}

/** The summary is the end of its answer. */
const maxParts = 8;
/** Characters; shorter texts are said again by chance. */
const minQuote = 16;

const longestLine = (text: string): string =>
  text
    .split("\n")
    .reduce((one, other) => (other.length > one.length ? other : one))
    .trim();

const textOf = ({ content }: ChatMessage): string =>
  typeof content === "string"
    ? content
    : content.map((part) => (part.type === "text" ? part.text : "")).join("\n");

function sharedLength(one: readonly string[], other: readonly string[]): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
