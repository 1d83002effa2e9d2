import type { AttemptUsage, JobStore, UsagePage } from "@proj/session-store";

/** What some sessions used, summed over their rows. */
export type Usage = Pick<
  AttemptUsage,
  "calls" | "prompt_tokens" | "completion_tokens" | "cost_nano_usd"
>;

/** What a job used. Costs are whole nano-dollars (10^-9 US dollars), so sums are exact. */
export interface JobUsage extends Usage {
  /** All attempts of a simulation together, in the order of simulation_id. */
  readonly simulations: readonly SimulationUsage[];
}

export interface SimulationUsage extends Usage {
  readonly simulation_id: string;
  readonly attempts: number;
}

/** @throws StoreUnavailableError */
export async function readJobUsage(
  store: Pick<JobStore, "readUsage">,
  job_id: string,
): Promise<JobUsage> {
  const simulations: SimulationUsage[] = [];
  for (let after: UsagePage["next_after"] | undefined; after !== null; ) {
    const page: UsagePage = await store.readUsage({ job_id, after });
    for (const attempt of page.attempts) {
      const { simulation_id } = attempt;
      const last = simulations.at(-1);
      if (last?.simulation_id === simulation_id)
        simulations[simulations.length - 1] = {
          ...last,
          ...sum(last, attempt),
          attempts: last.attempts + 1,
        };
      else simulations.push({ simulation_id, attempts: 1, ...sum(nothing, attempt) });
    }
    after = page.next_after;
  }
  return { ...simulations.reduce<Usage>(sum, nothing), simulations };
}

const nothing: Usage = { calls: 0, prompt_tokens: 0, completion_tokens: 0, cost_nano_usd: 0 };

const sum = (one: Usage, other: Usage): Usage => ({
  calls: one.calls + other.calls,
  prompt_tokens: one.prompt_tokens + other.prompt_tokens,
  completion_tokens: one.completion_tokens + other.completion_tokens,
  cost_nano_usd: one.cost_nano_usd + other.cost_nano_usd,
});
