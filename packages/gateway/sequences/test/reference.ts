import type { Step } from "../src/index.ts";

/** The reference's result for a chain of calls: its tokens, and which of them are trained on. */
export interface ReferenceSequence {
  readonly ids: readonly number[];
  readonly mask: readonly number[];
}

/**
 * The rules one by one, in the simplest possible way: every pair of steps is compared token by token. For one
 * agent, without messages.
 */
export function referenceSequences(steps: readonly Step[], trim: number): ReferenceSequence[] {
  const usable = steps
    .filter(
      ({ status_code, prompt_ids, completion_ids, logprobs }) =>
        status_code === 200 &&
        prompt_ids !== null &&
        prompt_ids.length > 0 &&
        completion_ids !== null &&
        completion_ids.length > 0 &&
        (logprobs === null || logprobs.length === completion_ids.length),
    )
    .sort(
      (a, b) =>
        (a.order?.began ?? 0) - (b.order?.began ?? 0) ||
        a.started_at - b.started_at ||
        a.ended_at - b.ended_at ||
        (a.id < b.id ? -1 : 1),
    );
  const parents = new Map(usable.map((step) => [step, parentOf(step, usable, trim)]));
  const { superseded, isParent } = retriesOf(usable, parents);
  const trained = new Set<Step>();
  return usable
    .filter((step) => !isParent(step) && !superseded.has(step))
    .map((leaf) => {
      const ids = [...idsOf(leaf.prompt_ids), ...idsOf(leaf.completion_ids)];
      const mask = ids.map(() => 0);
      let trimmed = 0;
      for (let step: Step | undefined = leaf; step !== undefined; ) {
        const start = idsOf(step.prompt_ids).length;
        const end = start + idsOf(step.completion_ids).length - trimmed;
        if (!trained.has(step)) mask.fill(1, start, end);
        trained.add(step);
        trimmed = parents.get(step)?.trimmed ?? 0;
        step = parents.get(step)?.parent;
      }
      return { ids, mask };
    });
}

const idsOf = (ids: ArrayLike<number> | null): number[] => Array.from(ids ?? []);

const isOver = (parent: Step, step: Step): boolean =>
  parent.order === undefined || step.order === undefined
    ? parent.ended_at <= step.started_at
    : parent.order.began < step.order.began && parent.order.ended < step.order.ended;

function parentOf(
  step: Step,
  steps: readonly Step[],
  trim: number,
): { parent: Step; trimmed: number } | undefined {
  const prompt = idsOf(step.prompt_ids);
  let best: { parent: Step; trimmed: number; length: number }[] = [];
  for (const parent of steps) {
    if (parent === step || !isOver(parent, step)) continue;
    for (let trimmed = 0; trimmed <= trim; trimmed += 1) {
      const completion = idsOf(parent.completion_ids);
      const kept = completion.length - trimmed;
      if (kept < 1) continue;
      const ending = [...idsOf(parent.prompt_ids), ...completion.slice(0, kept)];
      const { length } = ending;
      if (length > prompt.length || ending.some((id, at) => id !== prompt[at])) continue;
      const most = best[0]?.length ?? 0;
      if (length > most) best = [];
      if (length >= most) best.push({ parent, trimmed, length });
    }
  }
  if (best.length === 1) return best[0];
  const named = best.filter(
    ({ parent }) => parent.response_id !== null && parent.response_id === step.previous_response_id,
  );
  return named.length === 1 ? named[0] : undefined;
}

/** Goes from the longest prompts to the shortest: a parent's prompt is shorter than its child's. */
function retriesOf(
  steps: readonly Step[],
  parents: ReadonlyMap<Step, { parent: Step } | undefined>,
) {
  const superseded = new Set<Step>();
  const isParent = (step: Step): boolean =>
    steps.some((child) => parents.get(child)?.parent === step && !superseded.has(child));
  const byLength = steps.toSorted(
    (a, b) => idsOf(b.prompt_ids).length - idsOf(a.prompt_ids).length,
  );
  for (const step of byLength) {
    const equal = steps.filter((other) => String(other.prompt_ids) === String(step.prompt_ids));
    const attempts = connectedTo(step, equal);
    if (attempts.length === 1 || isParent(step)) continue;
    const isRetried = attempts.some(({ retry_of }) => retry_of === step.id);
    if (isRetried || attempts.some(isParent)) superseded.add(step);
  }
  return { superseded, isParent };
}

/** The steps that a chain of retries joins, in any direction. */
function connectedTo(step: Step, equal: readonly Step[]): readonly Step[] {
  const joined = new Set([step]);
  for (let before = 0; before < joined.size; ) {
    before = joined.size;
    for (const one of equal)
      for (const other of joined)
        if (one.retry_of === other.id || other.retry_of === one.id) joined.add(one);
  }
  return [...joined];
}
