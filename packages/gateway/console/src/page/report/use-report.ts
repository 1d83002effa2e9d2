import {
  type JobReport,
  type ReportedRollout,
  reportJob,
  rolloutOf,
} from "@proj/launcher-client/statistics";
import { useEffect, useMemo } from "preact/hooks";
import { useAnswer } from "../data/use-answer.ts";
import { newestAttempts } from "../jobs/job-figures.ts";
import { readJob } from "../jobs/read-job.ts";
import { readUsage } from "../jobs/use-usage.ts";

export interface NamedReport extends JobReport {
  readonly job_id: string;
  readonly rollouts: readonly NamedRollout[];
}

export interface NamedRollout extends ReportedRollout {
  readonly simulation_id: string;
}

/** The reports of jobs, by the functions of `launcher report`. Null: not read yet. */
export function useReports(job_ids: readonly string[], onError: (error: Error) => void) {
  const { body, error } = useAnswer(`report ${job_ids.join("\n")}`, (source, signal) =>
    Promise.all(
      job_ids.map(async (job_id) => {
        const { attempts } = await readJob(source, job_id, signal);
        const usage = await readUsage(source, job_id, signal);
        const rollouts = newestAttempts(attempts).map((attempt): NamedRollout => {
          const used = usage.get(attempt.session_id);
          return {
            ...rolloutOf(attempt, attempt.reward),
            simulation_id: attempt.simulation_id,
            prompt_tokens: used?.prompt_tokens ?? 0,
            completion_tokens: used?.completion_tokens ?? 0,
            cost_nano_usd: used?.cost_nano_usd ?? 0,
            // Counting them reads every step, which a page does not.
            tool_failures: null,
          };
        });
        return { job_id, rollouts };
      }),
    ),
  );
  useEffect(() => {
    if (error !== null) onError(error);
  }, [error]);
  const reports = useMemo(
    () => body?.map((job): NamedReport => ({ ...job, ...reportJob(job.rollouts) })) ?? null,
    [body],
  );
  return { reports, error };
}
