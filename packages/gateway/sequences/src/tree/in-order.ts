import type { Step } from "../records/step.ts";

/**
 * Earlier calls first, by their rows if all steps have one. Rows are in the order in which answers ended; within a
 * model the calls are moved to where they began. Ids break ties: the order of the input does not matter.
 */
export function inOrder(steps: readonly Step[]): Step[] {
  if (steps.some(({ order }) => order === undefined)) return steps.toSorted(byClock);
  const ended = steps.toSorted((a, b) => order(a).ended - order(b).ended || byId(a, b));
  const began = new Map(
    [...Map.groupBy(ended, ({ model }) => model)].map(([model, own]) => [
      model,
      own.sort((a, b) => order(a).began - order(b).began || byId(a, b)).values(),
    ]),
  );
  return ended.map((step) => began.get(step.model)?.next().value ?? step);
}

/** Whether a step's answer had ended before another step of the same model began. */
export function isBefore(earlier: Step, later: Step): boolean {
  if (earlier.order === undefined || later.order === undefined)
    return earlier.ended_at <= later.started_at;
  // Whether two calls overlapped shows in their tokens: none repeats an answer that had not ended.
  return earlier.order.began < later.order.began && earlier.order.ended < later.order.ended;
}

const order = ({ order }: Step) => order ?? { began: 0, ended: 0 };

const byClock = (a: Step, b: Step): number =>
  a.started_at - b.started_at || a.ended_at - b.ended_at || (a.id < b.id ? -1 : 1);

/** Choices of one call have names that differ in a number at the end. */
const byId = (a: Step, b: Step): number => a.id.length - b.id.length || (a.id < b.id ? -1 : 1);
