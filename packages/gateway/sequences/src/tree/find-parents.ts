import { isObject } from "../messages/canonical-json.ts";
import { goesOnFrom } from "../messages/conversation.ts";
import { RollingHash } from "../tokens/rolling-hash.ts";
import { SameTokens } from "../tokens/same-tokens.ts";
import type { Call } from "./call.ts";
import { isBefore } from "./in-order.ts";

/** The call that another one continues, and how many of its trailing tokens were left out. */
export interface Origin {
  readonly parent: Call;
  readonly trimmed: number;
}

/** Why a call continues none, although its prompt begins with one. */
export type Refusal = "ambiguous_parent" | "version_changed";

export interface ParentOptions {
  readonly trim: number;
  readonly split_on_version: boolean;
}

/** Beyond this number, equal candidates are not distinguished by their messages. */
const maxCompared = 32;

/**
 * Finds the parents of calls of one line, by tokens alone: of the calls that ended before a call began, the
 * one that makes up most of the beginning of its prompt. Calls without a parent are not in the result.
 */
export function findParents(
  calls: readonly Call[],
  { trim, split_on_version }: ParentOptions,
): ReadonlyMap<Call, Origin | Refusal> {
  const endings = indexEndings(calls, trim);
  const { lengths } = endings;
  const origins = new Map<Call, Origin | Refusal>();
  for (const call of calls) {
    for (const candidates of endingsBefore(call, endings, lengths)) {
      const earlier = candidates.filter(({ parent: { step } }) => isBefore(step, call.step));
      if (earlier.length === 0) continue;
      const found = earlier.length === 1 ? earlier[0] : tellApart(earlier, call);
      if (found === undefined) origins.set(call, "ambiguous_parent");
      else if (split_on_version && hasNewVersion(found.parent, call)) {
        origins.set(call, "version_changed");
      } else origins.set(call, found);
      break;
    }
  }
  return origins;
}

/** Where calls end; an empty completion would be the beginning of every call. */
function indexEndings(calls: readonly Call[], trim: number): SameTokens<Origin> {
  const endings = new SameTokens<Origin>();
  for (const call of calls) {
    const { completion, length } = call.tokens;
    const hash = call.tokens.hashPrompt();
    const shortest = Math.max(1, completion.length - trim);
    hash.add(completion, 0, shortest);
    for (let end = shortest; end <= completion.length; end += 1) {
      if (end > shortest) hash.add(completion, end - 1, end);
      const trimmed = completion.length - end;
      endings.add(call.tokens, length - trimmed, hash.value, { parent: call, trimmed });
    }
  }
  return endings;
}

/** The endings that the call's prompt begins with, the longest first. */
function* endingsBefore(
  { tokens }: Call,
  endings: SameTokens<Origin>,
  lengths: readonly number[],
): Generator<readonly Origin[]> {
  const { prompt } = tokens;
  const hash = new RollingHash();
  const found: { readonly length: number; readonly value: number }[] = [];
  let hashed = 0;
  for (const length of lengths) {
    if (length > prompt.length) break;
    hash.add(prompt, hashed, length);
    hashed = length;
    const { value } = hash;
    if (endings.has(length, value)) found.push({ length, value });
  }
  for (const { length, value } of found.reverse()) {
    const same = endings.find(tokens, length, value);
    if (same !== null) yield same;
  }
}

/** Of several equal candidates, the one that something other than tokens points to. */
function tellApart(candidates: readonly Origin[], call: Call): Origin | undefined {
  const { previous_response_id, messages } = call.step;
  const named = candidates.filter(
    ({ parent: { step } }) =>
      step.response_id !== null && step.response_id === previous_response_id,
  );
  if (named.length === 1) return named[0];
  const answered = toolCallsAnswered(messages ?? []);
  const minted = candidates.filter(({ parent: { step } }) =>
    step.tool_call_ids.some((id) => answered.has(id)),
  );
  if (minted.length === 1) return minted[0];
  if (candidates.length > maxCompared) return undefined;
  const alike = candidates.filter((one) => goesOnFrom(one.parent.conversation, call.conversation));
  return alike.length === 1 ? alike[0] : undefined;
}

/** Ids of the tool calls whose results are among the messages. */
function toolCallsAnswered(messages: readonly unknown[]): ReadonlySet<unknown> {
  const ids = new Set<unknown>();
  for (const message of messages.filter(isObject)) {
    // What a message is made of; Google's API calls it its parts.
    const content = message.content ?? message.parts;
    for (const part of [message, ...(Array.isArray(content) ? content : [])].filter(isObject)) {
      ids.add(part.tool_call_id).add(part.tool_use_id);
      if ("output" in part) ids.add(part.call_id);
      if (isObject(part.functionResponse)) ids.add(part.functionResponse.id);
    }
  }
  return ids;
}

function hasNewVersion(parent: Call, { step }: Call): boolean {
  const before = parent.step.versions?.at(-1)?.version;
  const now = step.versions?.[0]?.version;
  return before !== undefined && now !== undefined && before !== now;
}
