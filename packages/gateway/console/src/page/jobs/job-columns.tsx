import type { JobSummary } from "@proj/session-store";
import { hrefOf } from "../shell/location.ts";
import { column, type SortedColumn } from "../table/sorted-table.tsx";
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
  const ofJob = ({ job_id }: JobSummary) => totals.get(job_id);
  return [
    column(
      "job",
      ({ job_id }) => job_id,
      (job_id) => (
        <a class="entry" href={hrefOf("jobs", job_id)}>
          {visible(job_id)}
        </a>
      ),
    ),
    column("progress", endedShare, (share, { running }) => (
      <>
        <progress aria-label="Simulations that have ended" value={share} />{" "}
        {running > 0 && <span class="state busy">{count(running)} running</span>}
      </>
    )),
    column("simulations", ({ simulations }) => simulations, count),
    column(
      "failed",
      ({ failed, infrastructure }) => failed + infrastructure,
      (failed) => <span class={failed > 0 ? "bad" : ""}>{count(failed)}</span>,
    ),
    column("mean reward", ({ mean_reward }) => mean_reward, reward),
    column("change", change, (by, { job_id }) => {
      const against = before.get(job_id)?.job_id ?? "";
      return (
        <a
          href={hrefOf("report", null, { job: job_id, against })}
          title={`Since ${visible(against)}`}
        >
          {by > 0 ? "+" : ""}
          {reward(by)}
        </a>
      );
    }),
    column("model", (job) => ofJob(job)?.models.map(visible).join(", ")),
    column("tokens", (job) => ofJob(job)?.tokens, compact),
    column(
      "cost",
      (job) => ofJob(job)?.cost_nano_usd,
      (nano) => <Cost nano={nano} />,
    ),
    column("duration", tookMs, duration),
    column(
      "started",
      ({ created_at }) => created_at,
      (created_at) => (
        <time datetime={created_at} title={clock(created_at)}>
          {ago(created_at)}
        </time>
      ),
    ),
  ];
}

const endedShare = ({ simulations, pending, running }: JobSummary): number =>
  (simulations - pending - running) / simulations;

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
