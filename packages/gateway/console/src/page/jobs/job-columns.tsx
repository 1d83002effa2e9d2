import type { JobSummary } from "@proj/session-store";
import type { ComponentChild } from "preact";
import { hrefOf } from "../shell/location.ts";
import type { SortedColumn } from "../table/sorted-table.tsx";
import { Cost } from "../text/cost.tsx";
import { ago, clock, compact, count, duration, reward } from "../text/format.ts";
import { visible } from "../text/visible.ts";
import type { JobTotals } from "./use-totals.ts";

type TotalsByJob = ReadonlyMap<string, JobTotals>;

/** @param jobs all of them, the newest first */
export function columnsOf(
  jobs: readonly JobSummary[],
  totals: TotalsByJob,
): readonly SortedColumn<JobSummary>[] {
  const before = previousOf(jobs, totals);
  const change = ({ job_id, mean_reward }: JobSummary): number | null => {
    const then = before.get(job_id)?.mean_reward ?? null;
    return mean_reward === null || then === null ? null : mean_reward - then;
  };
  const known = <Value,>(
    value: Value | null | undefined,
    text: (value: Value) => ComponentChild,
  ) => (value === null || value === undefined ? "–" : text(value));
  return [
    {
      name: "job",
      by: ({ job_id }) => job_id,
      show: ({ job_id }) => (
        <a class="entry" href={hrefOf("jobs", job_id)}>
          {visible(job_id)}
        </a>
      ),
    },
    {
      name: "progress",
      by: (job) => (job.simulations - job.pending - job.running) / job.simulations,
      show: (job) => (
        <>
          <progress
            aria-label="Simulations that have ended"
            value={job.simulations - job.pending - job.running}
            max={job.simulations}
          />{" "}
          {job.running > 0 && <span class="state busy">{count(job.running)} running</span>}
        </>
      ),
    },
    {
      name: "simulations",
      by: ({ simulations }) => simulations,
      show: (job) => count(job.simulations),
    },
    {
      name: "failed",
      by: ({ failed, infrastructure }) => failed + infrastructure,
      show: ({ failed, infrastructure }) => (
        <span class={failed + infrastructure > 0 ? "bad" : ""}>
          {count(failed + infrastructure)}
        </span>
      ),
    },
    {
      name: "mean reward",
      by: ({ mean_reward }) => mean_reward,
      show: ({ mean_reward }) => known(mean_reward, reward),
    },
    {
      name: "change",
      by: change,
      show: (job) =>
        known(change(job), (by) => (
          <a
            href={hrefOf("report", null, {
              job: job.job_id,
              against: before.get(job.job_id)?.job_id ?? "",
            })}
            title={`Since ${visible(before.get(job.job_id)?.job_id ?? "")}`}
          >
            {by > 0 ? "+" : ""}
            {reward(by)}
          </a>
        )),
    },
    {
      name: "model",
      by: ({ job_id }) => totals.get(job_id)?.models.join(", ") ?? null,
      show: ({ job_id }) => known(totals.get(job_id)?.models.map(visible).join(", "), String),
    },
    {
      name: "tokens",
      by: ({ job_id }) => totals.get(job_id)?.tokens ?? null,
      show: ({ job_id }) => known(totals.get(job_id)?.tokens, compact),
    },
    {
      name: "cost",
      by: ({ job_id }) => totals.get(job_id)?.cost_nano_usd ?? null,
      show: ({ job_id }) =>
        known(totals.get(job_id)?.cost_nano_usd, (nano) => <Cost nano={nano} />),
    },
    { name: "duration", by: tookMs, show: (job) => known(tookMs(job), duration) },
    {
      name: "started",
      by: ({ created_at }) => created_at,
      show: ({ created_at }) => (
        <time datetime={created_at} title={clock(created_at)}>
          {ago(created_at)}
        </time>
      ),
    },
  ];
}

/** From its addition until its latest attempt ended; null: none has. */
const tookMs = ({ created_at, finished_at }: JobSummary): number | null =>
  finished_at === null ? null : Date.parse(finished_at) - Date.parse(created_at);

/** Of each job the one before it with the same simulations: as many, with the same first one. */
function previousOf(
  jobs: readonly JobSummary[],
  totals: TotalsByJob,
): ReadonlyMap<string, JobSummary> {
  const found = new Map<string, JobSummary>();
  const latest = new Map<string, JobSummary>();
  for (const job of jobs.toReversed()) {
    const first = totals.get(job.job_id)?.first_simulation;
    if (first == null) continue;
    const same = JSON.stringify([job.simulations, first]);
    const before = latest.get(same);
    if (before !== undefined) found.set(job.job_id, before);
    latest.set(same, job);
  }
  return found;
}
