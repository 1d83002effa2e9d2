import {
  type JobReport,
  meanScores,
  type ReportedRollout,
  reportJob,
  rolloutOf,
} from "@proj/launcher-client/statistics";
import type { AttemptUsage, StepPage } from "@proj/session-store";
import { countToolFailures, type Simulation } from "@proj/session-store/answers";
import { useMemo } from "preact/hooks";
import { type Source, sessionPath } from "../data/source.ts";
import { useAnswer, useViewAnswer } from "../data/use-answer.ts";
import { newestAttempts } from "../jobs/job-figures.ts";
import { readJob } from "../jobs/read-job.ts";
import { readScores } from "../jobs/use-scores.ts";
import { readUsage } from "../jobs/use-usage.ts";

export interface NamedReport extends JobReport {
  readonly job_id: string;
  readonly rollouts: readonly NamedRollout[];
}

export interface NamedRollout extends ReportedRollout {
  readonly simulation_id: string;
}

/** What a report is of: as the options of `launcher report`. */
export interface Reported {
  readonly score: string;
  /** Null: all authors; of the reward, its own. */
  readonly by: string | null;
  /** Counts tool calls that failed, which reads every step. */
  readonly hasTools: boolean;
}

interface JobData {
  readonly job_id: string;
  readonly attempts: readonly Simulation[];
  readonly usage: ReadonlyMap<string, AttemptUsage>;
}

type Failures = ReadonlyMap<string, number>;

/**
 * The reports of jobs, by the functions of `launcher report`, and what was said about their sessions. Null: not read yet.
 */
export function useReports(job_ids: readonly string[], { score, by, hasTools }: Reported) {
  const key = job_ids.join("\n");
  const { body: jobs, error } = useViewAnswer(`report ${key}`, (source, signal) =>
    Promise.all(job_ids.map((job_id) => readData(source, job_id, signal))),
  );
  const { body: scores } = useAnswer(`scores ${key}`, (source, signal) =>
    Promise.all(job_ids.map((job_id) => readScores(source, job_id, signal))),
  );
  const { body: failures } = useAnswer(
    `tools ${hasTools && jobs !== null} ${key}`,
    async (source, signal): Promise<Failures> =>
      hasTools && jobs !== null ? readFailures(source, jobs, signal) : new Map(),
  );
  const isReward = score === "reward" && by === null;
  const reports = useMemo(() => {
    if (jobs === null || (scores === null && !isReward)) return null;
    return jobs.map((job, index) => {
      const said = isReward ? null : meanScores(scores?.[index] ?? [], score, by);
      return reportOf(job, said, hasTools ? failures : null);
    });
  }, [jobs, scores, failures, score, by, hasTools]);
  return { reports, error, scores: scores?.flat() ?? [] };
}

function reportOf(
  { job_id, attempts, usage }: JobData,
  said: ReadonlyMap<string, number> | null,
  failures: Failures | null,
): NamedReport {
  const rollouts = newestAttempts(attempts).map((attempt): NamedRollout => {
    const { session_id, simulation_id, reward } = attempt;
    const used = usage.get(session_id);
    return {
      ...rolloutOf(attempt, said === null ? reward : (said.get(session_id) ?? null)),
      simulation_id,
      prompt_tokens: used?.prompt_tokens ?? 0,
      completion_tokens: used?.completion_tokens ?? 0,
      cost_nano_usd: used?.cost_nano_usd ?? 0,
      tool_failures: failures?.get(session_id) ?? null,
    };
  });
  return { job_id, rollouts, ...reportJob(rollouts) };
}

async function readData(source: Source, job_id: string, signal: AbortSignal): Promise<JobData> {
  const [{ attempts }, usage] = await Promise.all([
    readJob(source, job_id, signal),
    readUsage(source, job_id, signal),
  ]);
  return { job_id, attempts, usage };
}

/** One session after the other: each is read whole. */
async function readFailures(
  source: Source,
  jobs: readonly JobData[],
  signal: AbortSignal,
): Promise<Failures> {
  const base = await source.sessionsPath();
  const readSteps = ({ session_id = "", after = 0 }): Promise<StepPage> =>
    source.ask<StepPage>(`${sessionPath(base, session_id)}/steps?after=${after}`, signal);
  const failures = new Map<string, number>();
  for (const { attempts } of jobs)
    for (const { session_id } of newestAttempts(attempts))
      failures.set(session_id, await countToolFailures({ readSteps }, session_id));
  return failures;
}
