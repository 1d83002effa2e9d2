import type { JobSummary } from "@proj/session-store";
import { useEffect, useRef, useState } from "preact/hooks";
import { useSource } from "../data/use-answer.ts";
import { totalOf } from "./measures.ts";
import { readUsage } from "./use-usage.ts";

/** What a job used. */
export interface JobTotals {
  readonly models: readonly string[];
  readonly tokens: number;
  readonly cost_nano_usd: number;
  /** The first in alphabetical order; null: it has none. */
  readonly first_simulation: string | null;
}

/** As of the state of a job in which they were read. */
interface ReadTotals extends JobTotals {
  readonly state: string;
  readonly readAt: number;
}

/** What jobs used, read one after the other, the first in the list first, and again once they have changed. */
export function useTotals(jobs: readonly JobSummary[]): ReadonlyMap<string, JobTotals> {
  const source = useSource();
  const [totals, setTotals] = useState<ReadonlyMap<string, ReadTotals>>(new Map());
  const latest = useRef({ jobs, totals });
  latest.current = { jobs, totals };
  const isEmpty = jobs.length === 0;
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = async (): Promise<void> => {
      const { jobs, totals } = latest.current;
      const next = jobs.find((job) => isDue(job, totals.get(job.job_id)));
      const usage = next && (await readUsage(source, next.job_id, stop.signal).catch(() => null));
      if (stop.signal.aborted) return;
      if (next && usage) {
        const { prompt_tokens, completion_tokens, cost_nano_usd } = totalOf(usage);
        const attempts = [...usage.values()];
        const models = [...new Set(attempts.flatMap(({ models }) => models))].sort();
        const tokens = prompt_tokens + completion_tokens;
        const first_simulation = attempts[0]?.simulation_id ?? null;
        const known = { state: stateOf(next), readAt: performance.now() };
        const read = { models, tokens, cost_nano_usd, first_simulation, ...known };
        setTotals((before) => new Map(before).set(next.job_id, read));
      }
      if (source.isLive || next) timer = setTimeout(run, next && usage ? 0 : pauseMs);
    };
    if (!isEmpty) void run();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [source, isEmpty]);
  return totals;
}

const pauseMs = 5_000;
/** Summing up a job reads every row of it, so one that changes all the time has to wait. */
const refreshMs = 30_000;

const isDue = (job: JobSummary, read: ReadTotals | undefined): boolean =>
  read === undefined ||
  (read.state !== stateOf(job) && performance.now() - read.readAt > refreshMs);

const stateOf = ({ finished_at, running, pending }: JobSummary): string =>
  JSON.stringify([finished_at, running, pending]);
