import type { Simulation } from "../../answers/browse.ts";

/** Simulations that were given the same task, each by its newest attempt. */
export interface Group {
  /** Null: of no group. */
  readonly group_id: string | null;
  readonly simulations: readonly Simulation[];
  /** All have ended with the same reward: nothing is to be learnt from comparing them. */
  readonly isUniform: boolean;
  readonly mean: number | null;
}

export interface Cause {
  /** What comes before the first colon of an error. */
  readonly code: string;
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

export function groupsOf(simulations: readonly Simulation[]): readonly Group[] {
  const members = Map.groupBy(simulations, ({ group_id }) => group_id);
  return [...members].map(([group_id, simulations]) => {
    const rewards = rewardsOf(simulations);
    const isUniform =
      group_id !== null &&
      rewards.length > 1 &&
      rewards.length === simulations.length &&
      rewards.every((reward) => reward === rewards[0]);
    return { group_id, simulations, isUniform, mean: mean(rewards) };
  });
}

/** Failed attempts by their error's code, the most frequent first. */
export function causesOf(attempts: readonly Simulation[]): readonly Cause[] {
  const failed = attempts.filter(({ status }) => status === "failed");
  const causes = Map.groupBy(failed, ({ error }) => (error ?? "unknown").split(":")[0] ?? "");
  return [...causes]
    .map(([code, attempts]) => ({ code, attempts }))
    .sort((one, other) => other.attempts.length - one.attempts.length);
}

export const rewardsOf = (simulations: readonly Simulation[]): readonly number[] =>
  simulations.flatMap(({ reward }) => (reward === null ? [] : [reward]));

export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

const mostBars = 10;

/** How often which reward was given: a bar for each, or where there are many, bars of equal width. */
export function distribution(rewards: readonly number[]): readonly Bar[] {
  if (rewards.length === 0) return [];
  const lowest = Math.min(...rewards);
  const highest = Math.max(...rewards);
  const times = Map.groupBy(rewards, (reward) => reward);
  if (times.size <= mostBars)
    return [...times]
      .map(([reward, same]) => ({ from: reward, to: reward, count: same.length }))
      .sort((one, other) => one.from - other.from);
  const width = (highest - lowest) / mostBars;
  const counts = new Array<number>(mostBars).fill(0);
  for (const reward of rewards) {
    const index = Math.min(Math.floor((reward - lowest) / width), mostBars - 1);
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts.map((count, index) => ({
    from: lowest + index * width,
    to: lowest + (index + 1) * width,
    count,
  }));
}

/** Where a reward is between the lowest and the highest, from 0 to 4. */
export function shadeOf(reward: number, rewards: readonly number[]): number {
  const lowest = Math.min(...rewards);
  const highest = Math.max(...rewards);
  return highest === lowest ? 4 : Math.round((4 * (reward - lowest)) / (highest - lowest));
}
