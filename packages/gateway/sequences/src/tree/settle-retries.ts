import { SameTokens } from "../tokens/same-tokens.ts";
import type { Call } from "./call.ts";
import type { Origin } from "./find-parents.ts";

/** What became of calls with equal prompts. Calls not listed here are kept and trained on. */
export interface Retries {
  /** Not kept: the call that replaced each. */
  readonly superseded: ReadonlyMap<Call, Call>;
  /** Calls that a kept call continues. */
  readonly continued: ReadonlySet<Call>;
  /** Kept calls whose prompt an earlier kept call answers: that call. */
  readonly again: ReadonlyMap<Call, Call>;
}

/**
 * Decides between calls that say they retry one another: those that were continued are kept, otherwise the last.
 * Equal prompts alone say nothing: an agent may sample several answers, or see the same twice. Long prompts come
 * first, so that whatever continues a call is decided before the call itself.
 */
export function settleRetries(calls: readonly Call[], origins: ReadonlyMap<Call, Origin>): Retries {
  const superseded = new Map<Call, Call>();
  const continued = new Set<Call>();
  const again = new Map<Call, Call>();
  for (const equal of groupByPrompt(calls)) {
    for (const attempts of attemptsOf(equal)) {
      const kept = choose(attempts, continued);
      const [first] = kept;
      for (const call of attempts) {
        if (!kept.includes(call) && first !== undefined) superseded.set(call, first);
      }
      for (const call of kept) {
        const origin = origins.get(call);
        if (origin !== undefined) continued.add(origin.parent);
      }
    }
    const [first, ...others] = equal.filter((call) => !superseded.has(call));
    for (const call of others) if (first !== undefined) again.set(call, first);
  }
  return { superseded, continued, again };
}

/** The calls of each logical step: those that a call retries belong to it. */
function attemptsOf(equal: readonly Call[]): Iterable<readonly Call[]> {
  const byId = new Map(equal.map((call) => [call.step.id, call]));
  const firsts = new Map<Call, Call>();
  for (const call of equal) {
    const passed = new Set<Call>();
    let first = call;
    for (let at: Call | undefined = call; at !== undefined && !passed.has(at); ) {
      passed.add(at);
      first = at;
      at = byId.get(at.step.retry_of ?? "");
    }
    firsts.set(call, first);
  }
  return Map.groupBy(equal, (call) => firsts.get(call)).values();
}

function choose(attempts: readonly Call[], continued: ReadonlySet<Call>): readonly Call[] {
  const goneOnFrom = attempts.filter((call) => continued.has(call));
  if (goneOnFrom.length > 0) return goneOnFrom;
  const repeated = new Set(attempts.map(({ step }) => step.retry_of));
  const last = attempts.filter(({ step }) => !repeated.has(step.id));
  return last.length > 0 ? last : attempts;
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
