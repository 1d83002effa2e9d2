import { Conversation } from "../messages/conversation.ts";
import type { Step } from "../records/step.ts";
import type { CallTokens } from "../tokens/call-tokens.ts";

/** A step whose tokens can be used, with its place in the tree of calls. */
export interface Call {
  readonly step: Step;
  readonly tokens: CallTokens;
  readonly conversation: Conversation;
  /**
   * Calls are joined only with calls of the same agent, and side calls only within the same rule and model.
   */
  readonly line: string;
  readonly side_call: string | null;
}

export function openCall(step: Step, tokens: CallTokens, side_call: string | null): Call {
  const conversation = new Conversation(step);
  return { step, tokens, conversation, line: lineOf(step, side_call), side_call };
}

/** @param side_call the rule that sets the step apart; null for the policy's own */
export function lineOf({ agent, model }: Step, side_call: string | null): string {
  const id = agent?.id ?? null;
  return JSON.stringify(side_call === null ? [id] : [id, side_call, model]);
}

/** Orders by time; the id breaks ties, so that the order of the input does not matter. */
export function byTime(one: Call | Step, other: Call | Step): number {
  const [a, b] = ["step" in one ? one.step : one, "step" in other ? other.step : other];
  const difference = a.started_at - b.started_at || a.ended_at - b.ended_at;
  return difference || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
