import type { Summary } from "@proj/launcher-client/statistics";
import { count, reward } from "../text/quantities.ts";

/** Whether a job is good enough. */
export interface Gate {
  readonly min_reward: number;
  /** Why it does not pass; empty: it passes. */
  readonly failures: readonly string[];
}

/**
 * Rollouts that failed have no score: unless they count as one, a job in which most crash would pass by the rest. What the
 * infrastructure failed says nothing about the agent, and is left out.
 */
export function gateOf(
  { mean, failed, unended }: Summary,
  min_reward: number,
  failed_as: number | null,
): Gate {
  const failures = [
    ...(mean === null ? ["no rollout has a score"] : []),
    ...(mean !== null && mean < min_reward
      ? [`the mean ${reward(mean)} is below ${min_reward}`]
      : []),
    ...(failed > 0 && failed_as === null ? [`${count(failed, "rollout")} failed`] : []),
    ...(unended > 0 ? [`${count(unended, "rollout")} without a score yet`] : []),
  ];
  return { min_reward, failures };
}

export const gateSentence = ({ min_reward, failures }: Gate): string =>
  failures.length === 0
    ? `Passes: the mean is at least ${min_reward}.`
    : `Does not pass: ${failures.join("; ")}.`;
