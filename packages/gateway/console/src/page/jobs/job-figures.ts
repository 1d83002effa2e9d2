import { areEqual, mean } from "@proj/launcher-client/statistics";
import type { Simulation } from "@proj/session-store/answers";
import { causeOf, codeOf, isFailure } from "./simulation-filter.ts";

/** Simulations that were given the same task, each by its newest attempt. */
export interface Group {
  /** Null: they belong to no group. */
  readonly group_id: string | null;
  readonly simulations: readonly Simulation[];
  /** All ended with the same reward, so a trainer learns nothing from comparing them. */
  readonly isUniform: boolean;
  readonly mean: number | null;
  /** The standard deviation of the rewards; null: there are none. */
  readonly spread: number | null;
  readonly failures: number;
}

export interface Cause {
  readonly cause: string;
  /** The codes of their errors. */
  readonly codes: readonly string[];
  readonly attempts: readonly Simulation[];
}

export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** @param attempts in the order of simulation and attempt */
export function newestAttempts(attempts: readonly Simulation[]): readonly Simulation[] {
  const newest = new Map<string, Simulation>();
  for (const attempt of attempts) newest.set(attempt.simulation_id, attempt);
  return [...newest.values()];
}

/** `task-2` comes before `task-10`. */
const byName = new Intl.Collator("en", { numeric: true });

export function groupsOf(simulations: readonly Simulation[]): readonly Group[] {
  const members = Map.groupBy(simulations, ({ group_id }) => group_id);
  const sorted = [...members].sort(([one], [other]) => byName.compare(one ?? "", other ?? ""));
  return sorted.map(([group_id, simulations]) => {
    const rewards = rewardsOf(simulations);
    const isUniform = group_id !== null && areEqual(rewards);
    const failures = simulations.filter(isFailure).length;
    return { group_id, simulations, isUniform, failures, ...deviationOf(rewards) };
  });
}

/** Failed attempts by why they failed, the most frequent first. */
export function causesOf(attempts: readonly Simulation[]): readonly Cause[] {
  const causes = Map.groupBy(attempts.filter(isFailure), (attempt) => causeOf(attempt) ?? "");
  return [...causes]
    .map(([cause, attempts]) => ({ cause, codes: [...new Set(attempts.map(codeOf))], attempts }))
    .sort((one, other) => other.attempts.length - one.attempts.length);
}

export const rewardsOf = (simulations: readonly Simulation[]): readonly number[] =>
  simulations.flatMap(({ reward }) => (reward === null ? [] : [reward]));

function deviationOf(values: readonly number[]): Pick<Group, "mean" | "spread"> {
  const middle = mean(values);
  if (middle === null) return { mean: null, spread: null };
  const squares = values.map((value) => (value - middle) ** 2);
  return { mean: middle, spread: Math.sqrt(mean(squares) ?? 0) };
}

const maxBars = 10;

/** How often each reward was given: a bar for each, or, if there are many, for ranges of equal width. */
export function distribution(rewards: readonly number[]): readonly Bar[] {
  if (rewards.length === 0) return [];
  const { lowest, highest } = rangeOf(rewards);
  const times = Map.groupBy(rewards, (reward) => reward);
  if (times.size <= maxBars)
    return [...times]
      .map(([reward, same]) => ({ from: reward, to: reward, count: same.length }))
      .sort((one, other) => one.from - other.from);
  const width = (highest - lowest) / maxBars;
  const counts = new Array<number>(maxBars).fill(0);
  for (const reward of rewards) {
    const index = Math.min(Math.floor((reward - lowest) / width), maxBars - 1);
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts.map((count, index) => ({
    from: lowest + index * width,
    to: lowest + (index + 1) * width,
    count,
  }));
}

export interface Range {
  readonly lowest: number;
  readonly highest: number;
}

/** Without spreading them into arguments, of which there may be too many. */
export function rangeOf(rewards: readonly number[]): Range {
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const reward of rewards) {
    lowest = Math.min(lowest, reward);
    highest = Math.max(highest, reward);
  }
  return { lowest, highest };
}

/** Where a reward lies between the lowest and the highest, from 0 to 4. */
export const shadeOf = (reward: number, { lowest, highest }: Range): number =>
  highest === lowest ? 4 : Math.round((4 * (reward - lowest)) / (highest - lowest));
