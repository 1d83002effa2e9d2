import { dollars } from "@proj/launcher-client/sheets";
import type { AttemptUsage } from "@proj/session-store";
import type { Simulation } from "@proj/session-store/answers";
import { compact, duration, reward } from "../text/format.ts";

/** What the cells can show. Whatever they show, their colour is that of the reward. */
export const measures = ["reward", "tokens", "cost", "time"] as const;

export type Measure = (typeof measures)[number];

export type UsageBySession = ReadonlyMap<string, AttemptUsage>;

/** Null: it is not known, or not known yet. */
export function measured(
  measure: Measure,
  simulation: Simulation,
  usage: UsageBySession | null,
): string | null {
  const used = usage?.get(simulation.session_id);
  switch (measure) {
    case "reward":
      return simulation.reward === null ? null : reward(simulation.reward);
    case "tokens":
      return used === undefined ? null : compact(used.prompt_tokens + used.completion_tokens);
    case "cost":
      return used === undefined ? null : dollars(used.cost_nano_usd);
    case "time": {
      const ms = timeOf(simulation);
      return ms === null ? null : duration(ms);
    }
  }
}

/** How long it ran, in milliseconds; null: it has not ended. */
export const timeOf = ({ started_at, finished_at }: Simulation): number | null =>
  started_at === null || finished_at === null
    ? null
    : Date.parse(finished_at) - Date.parse(started_at);

/** The sum over all attempts. */
export function totalOf(usage: UsageBySession) {
  const total = { prompt_tokens: 0, completion_tokens: 0, cost_nano_usd: 0 };
  for (const { prompt_tokens, completion_tokens, cost_nano_usd } of usage.values()) {
    total.prompt_tokens += prompt_tokens;
    total.completion_tokens += completion_tokens;
    total.cost_nano_usd += cost_nano_usd;
  }
  return total;
}
