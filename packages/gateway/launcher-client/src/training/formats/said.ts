import type { Utterance, UtterancePart } from "@proj/model-apis/conversation";
import type { JsonObject } from "@proj/model-apis/json";
import { type Conversation, readConversations } from "../conversations.ts";
import type { Rollout } from "../rollout.ts";
import { functionsOf } from "./functions-of.ts";

type Role = "system" | "user" | "assistant" | "tool";

/** A message as chat formats have it, whichever API it was said in. */
export interface Said {
  readonly role: Role;
  readonly parts: readonly UtterancePart[];
  /** It was sampled in another session, or is in an earlier conversation too. */
  readonly isContext: boolean;
}

/** A conversation with something to learn, and the functions that the model was offered; null: none. */
export interface SaidConversation {
  readonly said: readonly Said[];
  readonly functions: readonly JsonObject[] | null;
}

export const conversationsIn = ({ steps }: Rollout): SaidConversation[] =>
  readConversations(steps.values()).flatMap((conversation) => {
    const said = saidIn(conversation);
    return said.length === 0 ? [] : [{ said, functions: functionsOf(conversation.last.tools) }];
  });

/**
 * A conversation up to what the model said last; empty where it said nothing. What an API has as several
 * items, such as a text and the calls beside it, is one message, and so are the results of those calls.
 * Messages without words, calls and reasoning, such as an image alone, are left out.
 */
function saidIn({ turns }: Conversation): Said[] {
  const messages: Said[] = [];
  for (const { utterances, isContext } of turns) {
    for (const utterance of utterances)
      for (const said of messagesOf(utterance, isContext)) {
        const before = messages.at(-1);
        if (before !== undefined && isOneMessage(before, said))
          messages.splice(-1, 1, { ...before, parts: [...before.parts, ...said.parts] });
        else messages.push(said);
      }
  }
  return endWithModel(messages);
}

/** Without what nothing answers. */
export const endWithModel = (messages: readonly Said[]): Said[] =>
  messages.slice(0, messages.findLastIndex(({ role }) => role === "assistant") + 1);

const isOneMessage = (before: Said, said: Said): boolean =>
  said.role === before.role &&
  (said.role === "assistant" || said.role === "tool") &&
  said.isContext === before.isContext;

/** Anthropic's API sends tool results in user messages. */
function messagesOf({ role, parts }: Utterance, isContext: boolean): Said[] {
  const results = parts.filter(({ kind }) => kind === "tool_result");
  const others = parts.filter(({ kind }) => kind !== "tool_result");
  const says = saysSomething(others) || reasoningOf(others) !== null;
  return [
    ...(results.length === 0 ? [] : [{ role: "tool" as const, parts: results, isContext }]),
    ...(says ? [{ role: roleOf(role), parts: others, isContext }] : []),
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

/** Words or calls. */
export const saysSomething = (parts: readonly UtterancePart[]): boolean =>
  textOf(parts) !== "" || toolCalls(parts).length > 0;

/** What the model thought before it spoke; null: nothing that it shows. */
export function reasoningOf(parts: readonly UtterancePart[]): string | null {
  const texts = parts.flatMap((part) => (part.kind === "reasoning" ? [part.text] : []));
  return texts.length === 0 ? null : texts.join("\n");
}

export const toolCalls = (
  parts: readonly UtterancePart[],
): readonly Extract<UtterancePart, { kind: "tool_call" }>[] =>
  parts.filter((part) => part.kind === "tool_call");

export const toolResults = (
  parts: readonly UtterancePart[],
): readonly Extract<UtterancePart, { kind: "tool_result" }>[] =>
  parts.filter((part) => part.kind === "tool_result");
