import { Conversation } from "../messages/conversation.ts";
import type { Step } from "../records/step.ts";
import type { CallTokens } from "../tokens/call-tokens.ts";

/** A step whose tokens can be used, with its place in the tree of calls. */
export interface Call {
  readonly step: Step;
  /** Its place among all steps, in order. */
  readonly at: number;
  readonly tokens: CallTokens;
  readonly conversation: Conversation;
  /**
   * Calls are joined only with calls of the same agent, rule and model; all of the policy's have no rule and one model.
   */
  readonly line: string;
  readonly side_call: string | null;
}

export function openCall(
  step: Step,
  at: number,
  tokens: CallTokens,
  side_call: string | null,
): Call {
  const conversation = new Conversation(step);
  return { step, at, tokens, conversation, line: lineOf(step, side_call), side_call };
}

/** @param side_call the rule that sets the step apart; null for the policy's own */
export function lineOf({ agent, model }: Step, side_call: string | null): string {
  return JSON.stringify([agent?.id ?? null, side_call, model]);
}
