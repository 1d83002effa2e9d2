import { SameTokens } from "../tokens/same-tokens.ts";
import type { Call } from "./call.ts";
import type { Origin } from "./find-parents.ts";

/** What became of calls with equal prompts. Calls not listed here are kept and trained on. */
export interface Retries {
  /** Not kept: the call that replaced each. */
  readonly superseded: ReadonlyMap<Call, Call>;
  /** Kept but not trained on: nothing says which of them counted. */
  readonly unresolved: ReadonlySet<Call>;
  /** Calls that a kept call continues. */
  readonly continued: ReadonlySet<Call>;
}

/**
 * Decides between calls with equal prompts: those that were continued are kept. If none was, the one that no
 * other retries is kept; if several remain, none is trained on. Long prompts come first, so that whatever
 * continues a call is decided before the call itself.
 */
export function settleRetries(calls: readonly Call[], origins: ReadonlyMap<Call, Origin>): Retries {
  const superseded = new Map<Call, Call>();
  const unresolved = new Set<Call>();
  const continued = new Set<Call>();
  for (const equal of groupByPrompt(calls)) {
    const { kept, counts } = choose(equal, continued);
    const [first] = kept;
    for (const call of equal) {
      if (!kept.includes(call) && first !== undefined) superseded.set(call, first);
    }
    for (const call of kept) {
      if (!counts) unresolved.add(call);
      const origin = origins.get(call);
      if (origin !== undefined) continued.add(origin.parent);
    }
  }
  return { superseded, unresolved, continued };
}

interface Choice {
  readonly kept: readonly Call[];
  /** Whether they are trained on. */
  readonly counts: boolean;
}

function choose(equal: readonly Call[], continued: ReadonlySet<Call>): Choice {
  const goneOnFrom = equal.filter((call) => continued.has(call));
  if (goneOnFrom.length > 0) return { kept: goneOnFrom, counts: true };
  const repeated = new Set(equal.map(({ step }) => step.retry_of));
  const last = equal.filter(({ step }) => !repeated.has(step.id));
  return { kept: last.length > 0 ? last : equal, counts: last.length === 1 };
}

/** Calls with equal prompts, the longest prompts first. */
function groupByPrompt(calls: readonly Call[]): (readonly Call[])[] {
  const groups = new SameTokens<Call>();
  for (const call of calls) {
    const { tokens } = call;
    groups.add(tokens, tokens.prompt.length, tokens.hashPrompt().value, call);
  }
  const promptLength = (equal: readonly Call[]): number => equal[0]?.tokens.prompt.length ?? 0;
  return [...groups].sort((one, other) => promptLength(other) - promptLength(one));
}
