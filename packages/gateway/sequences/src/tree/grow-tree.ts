import { Conversation } from "../messages/conversation.ts";
import type { Split } from "../records/sequence.ts";
import type { Step } from "../records/step.ts";
import { byTime, type Call } from "./call.ts";
import { type EarlierStep, explainSplit } from "./explain-split.ts";
import { findParents, type Origin, type ParentOptions, type Refusal } from "./find-parents.ts";
import { RecentSteps } from "./recent-steps.ts";
import { settleRetries } from "./settle-retries.ts";

/** A step that cannot be used, but that calls are still compared with. */
export interface LostStep {
  readonly step: Step;
  readonly line: string;
  readonly loss: string;
}

/** The calls of a session, each joined to the one it continues. */
export interface CallTree {
  readonly origins: ReadonlyMap<Call, Origin>;
  /** Why the calls without an origin begin a chain of their own. */
  readonly splits: ReadonlyMap<Call, Split>;
  readonly superseded: ReadonlyMap<Call, Call>;
  readonly unresolved: ReadonlySet<Call>;
  /** The last calls of all chains, ordered by time. */
  readonly leaves: readonly Call[];
}

/** @param calls ordered by time */
export function growTree(
  calls: readonly Call[],
  lost: readonly LostStep[],
  options: ParentOptions,
): CallTree {
  const origins = new Map<Call, Origin>();
  const refusals = new Map<Call, Refusal>();
  const superseded = new Map<Call, Call>();
  const unresolved = new Set<Call>();
  const continued = new Set<Call>();
  for (const line of Map.groupBy(calls, (call) => call.line).values()) {
    for (const [call, found] of findParents(line, options)) {
      if (typeof found === "string") refusals.set(call, found);
      else origins.set(call, found);
    }
    const retries = settleRetries(line, origins);
    for (const [call, by] of retries.superseded) superseded.set(call, by);
    for (const call of retries.unresolved) unresolved.add(call);
    for (const call of retries.continued) continued.add(call);
  }
  const leaves = calls.filter((call) => !continued.has(call) && !superseded.has(call));
  const splits = explainSplits(calls, lost, origins, refusals);
  return { origins, splits, superseded, unresolved, leaves };
}

function explainSplits(
  calls: readonly Call[],
  lost: readonly LostStep[],
  origins: ReadonlyMap<Call, Origin>,
  refusals: ReadonlyMap<Call, Refusal>,
): ReadonlyMap<Call, Split> {
  const splits = new Map<Call, Split>();
  const lines = new Map<string, RecentSteps>();
  const steps = [...calls, ...lost].sort((one, other) => byTime(one.step, other.step));
  for (const each of steps) {
    const recent = lines.get(each.line) ?? new RecentSteps();
    if ("loss" in each) {
      recent.add(lostStep(each), null);
    } else {
      const parent = origins.get(each)?.parent ?? null;
      if (parent === null) {
        const nearest = recent.nearestTo(each);
        const refusal = refusals.get(each) ?? null;
        const split =
          each.side_call !== null || nearest === null
            ? beginning(each, lines.size > 0 && !lines.has(each.line))
            : explainSplit(each, nearest, refusal);
        splits.set(each, split);
      }
      recent.add(usableStep(each, origins), parent);
    }
    lines.set(each.line, recent);
  }
  return splits;
}

function beginning({ step, side_call }: Call, isOtherAgent: boolean): Split {
  const other = isOtherAgent ? "different_agent" : "first";
  return {
    reason: side_call === null ? other : "side_call",
    step: step.id,
    compared_with: null,
    detail: side_call ?? (isOtherAgent ? (step.agent?.kind ?? null) : null),
    at_token: null,
    at_message: null,
    expected_ids: [],
    got_ids: [],
  };
}

function lostStep({ step, loss }: LostStep): EarlierStep {
  return { conversation: new Conversation(step), tokens: null, loss, path: () => [] };
}

function usableStep(call: Call, origins: ReadonlyMap<Call, Origin>): EarlierStep {
  function* path(): Generator<Call> {
    for (let at: Call | undefined = call; at !== undefined; at = origins.get(at)?.parent) yield at;
  }
  return { conversation: call.conversation, tokens: call.tokens, loss: null, path };
}
