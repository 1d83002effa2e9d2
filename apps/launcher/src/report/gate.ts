import { count, type NamedReport, reward } from "@proj/launcher-client/sheets";
import type { Summary } from "@proj/launcher-client/statistics";

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

/** A report, with what its bound says; absent: none was given. */
export type GatedReport = NamedReport & { readonly gate?: Gate };

export const gateSentences = ({ gate }: GatedReport): readonly string[] =>
  gate === undefined ? [] : [gateSentence(gate)];

const gateSentence = ({ min_reward, failures }: Gate): string =>
  failures.length === 0
    ? `Passes: the mean is at least ${min_reward}.`
    : `Does not pass: ${failures.join("; ")}.`;
