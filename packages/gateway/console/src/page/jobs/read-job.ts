import type { JobSummary } from "@proj/session-store";
import type { Simulation, SimulationsBody } from "@proj/session-store/answers";
import { jobPath, readPages } from "../data/read-pages.ts";
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
  const job = await source.ask<JobSummary>(jobPath(job_id), signal);
  const limit = { limit: "10000" };
  const pages = await readPages<SimulationsBody>(source, job_id, "simulations", signal, limit);
  return { job, attempts: pages.flatMap(({ simulations }) => simulations) };
}
