import { type Conversation, firstDifference, sharedMessages } from "../messages/conversation.ts";
import { hasReasoning } from "../messages/message-views.ts";
import { changedSystem, systemRoles } from "../messages/system-prompt.ts";
import type { Split, SplitReason } from "../records/sequence.ts";
import { type CallTokens, sharedTokens } from "../tokens/call-tokens.ts";
import type { Call } from "./call.ts";
import type { Refusal } from "./find-parents.ts";

/** An earlier step of the same line, usable or not, with the calls that led to it. */
export interface EarlierStep {
  readonly conversation: Conversation;
  /** Null if its tokens cannot be used. */
  readonly tokens: CallTokens | null;
  /** Why they cannot be used; null if they can. */
  readonly loss: string | null;
  /** The calls that it continues, including itself, the latest first. */
  readonly path: () => Iterable<Call>;
}

/** Number of ids shown on each side of a difference. */
const shownIds = 8;
/** The finish reasons with which the three APIs report an answer cut by a token limit. */
export const cutFinishes: ReadonlySet<string> = new Set([
  "length",
  "max_tokens",
  "max_output_tokens",
]);

type Finding = Pick<Split, "reason"> & Partial<Pick<Split, "detail" | "at_message">>;

/**
 * Says why a call did not continue the nearest earlier step; returns the first reason that applies.
 * @param continues whether it continues another step, which the nearest one also does
 */
export function explainSplit(
  call: Call,
  nearest: EarlierStep,
  refused: Refusal | null,
  continues: boolean,
): Split {
  const { tokens } = nearest;
  const { prompt } = call.tokens;
  const most = tokens === null ? 0 : Math.min(tokens.length, prompt.length);
  const shared = tokens === null ? null : sharedTokens(tokens, call.tokens, most);
  const at_token = shared === most ? null : shared;
  const finding =
    refused === null
      ? findReason(call, nearest, at_token, continues)
      : { reason: refused, detail: null };
  const around = (from: CallTokens | null, end: number): number[] =>
    at_token === null || from === null
      ? []
      : from.slice(at_token - shownIds, Math.min(end, at_token + shownIds));
  return {
    step: call.step.id,
    compared_with: nearest.conversation.step.id,
    detail: null,
    at_token,
    at_message: null,
    expected_ids: around(tokens, Number.POSITIVE_INFINITY),
    got_ids: around(call.tokens, prompt.length),
    ...finding,
  };
}

function findReason(
  call: Call,
  nearest: EarlierStep,
  at_token: number | null,
  continues: boolean,
): Finding {
  const { conversation: later } = call;
  const { conversation: earlier } = nearest;
  if (later.messages === null || earlier.messages === null) return unexplained(at_token);
  const at_message = firstDifference(earlier, later, "as_sent");
  const found = (reason: SplitReason, detail: string | null = null): Finding => ({
    reason,
    detail,
    at_message,
  });
  const system = changedSystem(earlier, later);
  if (system !== null) return found("system_changed", system.detail);
  if (earlier.tools !== later.tools) return found("tools_changed");
  const cut = cutParent(nearest, later);
  if (cut !== null) return found("truncated_parent", cut);
  const rewritten = firstDifference(earlier, later, "without_reasoning");
  // What has all of an earlier step is a branch, however long the other one is.
  const isBeside = continues && later.requested < earlier.requested;
  if (isBeside && rewritten === null)
    return found("history_rewritten", earlier.roleAt(later.requested));
  if (!continues && isCompacted(call, nearest, rewritten)) return found("compacted");
  if (rewritten !== null) {
    return {
      ...found("history_rewritten", earlier.roleAt(rewritten) ?? later.roleAt(rewritten)),
      at_message: rewritten,
    };
  }
  if (at_message !== null && firstDifference(earlier, later, "arguments_read") === null) {
    return found("tool_call_rerendered");
  }
  if (at_message !== null) return found("thinking_stripped");
  return found(changedByTemplate(nearest, at_token) ?? unexplained(at_token).reason);
}

/** The messages are equal or were not captured: only the tokens are left to compare. */
const unexplained = (at_token: number | null): Finding => ({
  reason: at_token === null ? "ambiguous_parent" : "retokenized",
});

/** Why the earlier step could not be continued although the request continues it; else null. */
function cutParent(nearest: EarlierStep, later: Conversation): string | null {
  const { conversation: earlier, loss } = nearest;
  const isContinued =
    later.requested > earlier.requested && sharedMessages(earlier, later) >= earlier.requested;
  if (!isContinued) return null;
  if (loss !== null) return loss;
  return cutFinishes.has(earlier.step.finish_reason ?? "") ? "length" : null;
}

/** Fewer messages; or fewer tokens, and a message near the beginning that summarises what was left out. */
function isCompacted(
  { conversation, tokens }: Call,
  nearest: EarlierStep,
  at: number | null,
): boolean {
  const { conversation: earlier } = nearest;
  if (conversation.requested < earlier.requested) return true;
  if (at === null || nearest.tokens === null) return false;
  const role = conversation.roleAt(at);
  const isEarly = at < earlier.requested / 2 && (role === "user" || systemRoles.has(role));
  return isEarly && tokens.prompt.length < nearest.tokens.prompt.length;
}

/**
 * What the template did if the messages are equal and the first differing token is in a completion: it
 * dropped reasoning, or rewrote a tool call; null if neither.
 */
function changedByTemplate(nearest: EarlierStep, at_token: number | null): SplitReason | null {
  if (at_token === null) return null;
  for (const { step, tokens } of nearest.path()) {
    if (at_token < tokens.prompt.length) continue;
    if (at_token >= tokens.length) return null;
    if ((step.answer ?? []).some(hasReasoning)) return "thinking_stripped";
    return step.tool_call_ids.length > 0 ? "tool_call_rerendered" : null;
  }
  return null;
}
