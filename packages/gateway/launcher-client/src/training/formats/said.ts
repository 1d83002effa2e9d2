import type { Utterance, UtterancePart } from "@proj/model-apis/conversation";
import type { Conversation } from "../conversations.ts";

type Role = "system" | "user" | "assistant" | "tool";

/** A message as chat formats have it, whichever API it was said in. */
export interface Said {
  readonly role: Role;
  readonly parts: readonly UtterancePart[];
  /** It was sampled in another session, and is context here. */
  readonly isReplayed: boolean;
}

/**
 * A conversation up to what the model said last; empty where it said nothing. What an API has as several
 * items, such as a text and the calls beside it, is one message, and so are the results of those calls.
 * Messages without words and calls, such as an image alone, are left out.
 */
export function saidIn({ turns }: Conversation): Said[] {
  const messages: Said[] = [];
  for (const { utterances, step } of turns) {
    const isReplayed = step !== null && step.replayed_from !== null;
    for (const utterance of utterances)
      for (const said of messagesOf(utterance, isReplayed)) {
        const before = messages.at(-1);
        if (before !== undefined && isOneMessage(before, said))
          messages.splice(-1, 1, { ...before, parts: [...before.parts, ...said.parts] });
        else messages.push(said);
      }
  }
  return messages.slice(0, messages.findLastIndex(({ role }) => role === "assistant") + 1);
}

const isOneMessage = (before: Said, said: Said): boolean =>
  said.role === before.role &&
  (said.role === "assistant" || said.role === "tool") &&
  said.isReplayed === before.isReplayed;

/** Anthropic's API sends tool results in user messages. */
function messagesOf({ role, parts }: Utterance, isReplayed: boolean): Said[] {
  const results = parts.filter(({ kind }) => kind === "tool_result");
  const others = parts.filter(({ kind }) => kind !== "tool_result");
  const says = textOf(others) !== "" || toolCalls(others).length > 0;
  return [
    ...(results.length === 0 ? [] : [{ role: "tool" as const, parts: results, isReplayed }]),
    ...(says ? [{ role: roleOf(role), parts: others, isReplayed }] : []),
  ];
}

/** `developer` is what newer models of OpenAI call the system; no trainer knows it. */
function roleOf(role: string): Role {
  if (role === "system" || role === "developer") return "system";
  return role === "assistant" ? role : "user";
}

/** What was said in words, a refusal included. */
export const textOf = (parts: readonly UtterancePart[]): string =>
  parts
    .flatMap((part) => (part.kind === "text" || part.kind === "refusal" ? [part.text] : []))
    .join("\n");

export const toolCalls = (
  parts: readonly UtterancePart[],
): readonly Extract<UtterancePart, { kind: "tool_call" }>[] =>
  parts.filter((part) => part.kind === "tool_call");

export const toolResults = (
  parts: readonly UtterancePart[],
): readonly Extract<UtterancePart, { kind: "tool_result" }>[] =>
  parts.filter((part) => part.kind === "tool_result");
