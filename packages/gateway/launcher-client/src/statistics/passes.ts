import { normalQuantile } from "./distributions.ts";
import { type Interval, mean } from "./means.ts";

/** How many rollouts a task has, and how many of them passed. */
export interface Trials {
  readonly n: number;
  readonly passed: number;
}

/**
 * The chance that at least one of k rollouts passes, without bias: the share of all choices of k among n in which one
 * does (Chen et al., 2021). The mean over the tasks with at least k rollouts; null: there are none.
 */
export const passAtK = (tasks: readonly Trials[], k: number): number | null =>
  overTasks(tasks, k, ({ n, passed }) => 1 - shareOfChoices(n - passed, n, k));

/** The chance that all of k rollouts pass, in the same way (Yao et al., 2024). */
export const passHatK = (tasks: readonly Trials[], k: number): number | null =>
  overTasks(tasks, k, ({ n, passed }) => shareOfChoices(passed, n, k));

/**
 * Wilson's interval of a share. It promises its coverage for independent trials: the rollouts of one task, or one
 * rollout of each task. Null: there are no trials.
 */
export function wilsonInterval({ n, passed }: Trials, confidence: number): Interval | null {
  if (n === 0) return null;
  const z = normalQuantile((1 + confidence) / 2);
  const share = passed / n;
  const shrink = 1 + z ** 2 / n;
  const centre = (share + z ** 2 / (2 * n)) / shrink;
  const reach = (z / shrink) * Math.sqrt((share * (1 - share)) / n + z ** 2 / (4 * n ** 2));
  return {
    low: passed === 0 ? 0 : centre - reach,
    high: passed === n ? 1 : centre + reach,
  };
}

function overTasks(
  tasks: readonly Trials[],
  k: number,
  ofTask: (task: Trials) => number,
): number | null {
  return mean(tasks.filter(({ n }) => n >= k).map(ofTask));
}

/** Among all choices of k from n, the share of those that lie within `among` of the n. */
function shareOfChoices(among: number, n: number, k: number): number {
  let share = 1;
  for (let taken = 0; taken < k; taken += 1) share *= Math.max(among - taken, 0) / (n - taken);
  return share;
}
