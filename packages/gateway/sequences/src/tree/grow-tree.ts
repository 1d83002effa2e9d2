import { Conversation } from "../messages/conversation.ts";
import type { Split, SplitReason } from "../records/sequence.ts";
import type { Step } from "../records/step.ts";
import type { Call } from "./call.ts";
import { type EarlierStep, explainSplit } from "./explain-split.ts";
import { findParents, type Origin, type ParentOptions, type Refusal } from "./find-parents.ts";
import { RecentSteps } from "./recent-steps.ts";
import { settleRetries } from "./settle-retries.ts";

/** A step that cannot be used, but that calls are still compared with. */
export interface LostStep {
  readonly step: Step;
  readonly at: number;
  readonly line: string;
  readonly loss: string;
}

/** The calls of a session, each joined to the one it continues. */
export interface CallTree {
  readonly origins: ReadonlyMap<Call, Origin>;
  /** Why calls begin a chain, or leave one that an earlier call continues. */
  readonly splits: ReadonlyMap<Call, Split>;
  readonly superseded: ReadonlyMap<Call, Call>;
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
  const again = new Map<Call, Call>();
  const continued = new Set<Call>();
  for (const line of Map.groupBy(calls, (call) => call.line).values()) {
    for (const [call, found] of findParents(line, options)) {
      if (typeof found === "string") refusals.set(call, found);
      else origins.set(call, found);
    }
    const retries = settleRetries(line, origins);
    for (const [call, by] of retries.superseded) superseded.set(call, by);
    for (const call of retries.continued) continued.add(call);
    for (const [call, first] of retries.again) again.set(call, first);
  }
  const leaves = calls.filter((call) => !continued.has(call) && !superseded.has(call));
  const splits = explainSplits({ calls, lost, origins, refusals, again });
  return { origins, splits, superseded, leaves };
}

interface Joined {
  readonly calls: readonly Call[];
  readonly lost: readonly LostStep[];
  readonly origins: ReadonlyMap<Call, Origin>;
  readonly refusals: ReadonlyMap<Call, Refusal>;
  readonly again: ReadonlyMap<Call, Call>;
}

function explainSplits({
  calls,
  lost,
  origins,
  refusals,
  again,
}: Joined): ReadonlyMap<Call, Split> {
  const splits = new Map<Call, Split>();
  const lines = new Map<string, RecentSteps>();
  const continued = new Set<Call>();
  const steps = [...calls, ...lost].sort((one, other) => one.at - other.at);
  for (const each of steps) {
    const recent = lines.get(each.line) ?? new RecentSteps();
    if ("loss" in each) {
      recent.add(lostStep(each), null);
    } else {
      const parent = origins.get(each)?.parent ?? null;
      if (parent === null || continued.has(parent)) {
        const isSideCall = parent === null && each.side_call !== null;
        const first = isSideCall ? undefined : again.get(each);
        const nearest = isSideCall || first !== undefined ? null : recent.nearestTo(each);
        const split =
          nearest === null
            ? beginning(each, first ?? beginningOf(each, lines))
            : explainSplit(each, nearest, refusals.get(each) ?? null, parent !== null);
        splits.set(each, split);
      }
      if (parent !== null) continued.add(parent);
      recent.add(usableStep(each, origins), parent);
    }
    lines.set(each.line, recent);
  }
  return splits;
}

function beginningOf(call: Call, lines: ReadonlyMap<string, unknown>): SplitReason {
  if (call.side_call !== null) return "side_call";
  return lines.size > 0 && !lines.has(call.line) ? "different_agent" : "first";
}

/** @param why the reason, or the call that answers the same prompt */
function beginning({ step, side_call }: Call, why: SplitReason | Call): Split {
  const reason = typeof why === "string" ? why : "sampled_again";
  const kind = reason === "different_agent" ? (step.agent?.kind ?? null) : null;
  return {
    reason,
    step: step.id,
    compared_with: typeof why === "string" ? null : why.step.id,
    detail: side_call ?? kind,
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
