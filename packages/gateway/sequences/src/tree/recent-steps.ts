import { firstDifference, sharedMessages } from "../messages/conversation.ts";
import { isUnrelated } from "../messages/system-prompt.ts";
import { sharedTokens } from "../tokens/call-tokens.ts";
import type { Call } from "./call.ts";
import type { EarlierStep } from "./explain-split.ts";

/** How many of a line's conversations a new one is compared with. Used only for explanations. */
const mostRecent = 8;

/** The ends of a line's conversations, the latest last. */
export class RecentSteps {
  #ends: EarlierStep[] = [];

  /** @param parent the call that it continues, which is then no longer an end */
  add(step: EarlierStep, parent: Call | null): void {
    this.#ends = this.#ends.filter(({ conversation }) => conversation !== parent?.conversation);
    parent?.conversation.forget();
    this.#ends.push(step);
    if (this.#ends.length > mostRecent) this.#ends.shift()?.conversation.forget();
  }

  /**
   * The step that shares the most messages with a call, on a tie the latest; null if there is none, or if the call
   * begins a conversation of its own.
   */
  nearestTo(call: Call): EarlierStep | null {
    let nearest: EarlierStep | null = null;
    let most = -1;
    for (const end of this.#ends) {
      if (isSibling(end, call)) continue;
      const shared = sharedMessages(end.conversation, call.conversation);
      if (shared < most) continue;
      most = shared;
      nearest = end;
    }
    const isOwn = (end: EarlierStep): boolean => isUnrelated(end.conversation, call.conversation);
    return most === 0 && this.#ends.every(isOwn) ? null : nearest;
  }
}

/** A call with the same request is not an earlier one: both begin for the same reason. */
function isSibling({ tokens, conversation }: EarlierStep, call: Call): boolean {
  const { prompt } = call.tokens;
  if (tokens !== null) {
    const { length } = prompt;
    return tokens.prompt.length === length && sharedTokens(tokens, call.tokens, length) === length;
  }
  return (
    conversation.messages !== null &&
    conversation.requested === call.conversation.requested &&
    firstDifference(conversation, call.conversation, "as_sent") === null
  );
}
