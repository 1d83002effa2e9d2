import type { StoredRow } from "@proj/session-store";
import { factsOf } from "./step-facts.ts";

/** What calls used, as far as their rows say. */
export interface RowUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** In nano-dollars; a call of unknown cost counts 0. */
  readonly cost_nano_usd: number;
  /** Calls answered from another session's record. */
  readonly replayed: number;
}

export function usageOf(rows: readonly StoredRow[]): RowUsage {
  let [prompt_tokens, completion_tokens, cost_nano_usd, replayed] = [0, 0, 0, 0];
  for (const row of rows) {
    const facts = factsOf(row);
    prompt_tokens += facts.prompt_tokens ?? 0;
    completion_tokens += facts.completion_tokens ?? 0;
    cost_nano_usd += facts.cost_nano_usd ?? 0;
    if (facts.replayed_from !== null) replayed += 1;
  }
  return { prompt_tokens, completion_tokens, cost_nano_usd, replayed };
}
