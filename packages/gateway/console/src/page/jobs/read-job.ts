import type { JobSummary } from "@proj/session-store";
import type { Simulation, SimulationsBody } from "@proj/session-store/answers";
import type { Source } from "../data/source.ts";

/** A job with all of its attempts. */
export interface JobBody {
  readonly job: JobSummary;
  readonly attempts: readonly Simulation[];
}

export async function readJob(
  source: Source,
  job_id: string,
  signal: AbortSignal,
): Promise<JobBody> {
  const path = `/v1/jobs/${encodeURIComponent(job_id)}`;
  const job = await source.ask<JobSummary>(path, signal);
  const attempts: Simulation[] = [];
  for (let after: string | null = ""; after !== null; ) {
    const page: SimulationsBody = await source.ask<SimulationsBody>(
      `${path}/simulations?limit=10000${after === "" ? "" : `&after=${encodeURIComponent(after)}`}`,
      signal,
    );
    attempts.push(...page.simulations);
    after = source.isLive ? page.next_after : null;
  }
  return { job, attempts };
}
