import type { JobSummary } from "@proj/session-store";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Simulation, SimulationsBody } from "../../answers/browse.ts";
import { compareHref } from "../compare/compare-place.ts";
import { mostRollouts } from "../compare/use-rollouts.ts";
import type { Source } from "../data/source.ts";
import { useAnswer } from "../data/use-answer.ts";
import { filterText } from "../list/filters.ts";
import { useKeys } from "../shell/keys.ts";
import { hrefOf } from "../shell/location.ts";
import { moveAmong } from "../shell/move-among.ts";
import { count, duration, plural, reward } from "../text/format.ts";
import { visible } from "../text/visible.ts";
import { GroupRow } from "./group-row.tsx";
import { Causes, Distribution } from "./job-charts.tsx";
import { groupsOf, mean, newestAttempts, rewardsOf } from "./job-figures.ts";

interface JobViewProps {
  readonly job_id: string;
  readonly onError: (error: Error) => void;
}

const refreshMs = 5_000;

/** A job: each simulation a cell, coloured by its reward, those of a group in one row. */
export function JobView({ job_id, onError }: JobViewProps) {
  const { body, error } = useAnswer(
    job_id,
    (source, signal) => readJob(source, job_id, signal),
    refreshMs,
  );
  useEffect(() => {
    if (error !== null) onError(error);
  }, [error]);
  const grid = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const choose = (): void => {
    const session_id = document.activeElement?.getAttribute("data-session") ?? null;
    if (session_id === null) return;
    const next = new Set(chosen);
    if (!next.delete(session_id) && next.size < mostRollouts) next.add(session_id);
    setChosen(next);
  };
  useKeys({
    x: choose,
    j: () => moveAmong(grid.current, "a.cell", 1),
    k: () => moveAmong(grid.current, "a.cell", -1),
    n: () => moveAmong(grid.current, "a.cell.failed", 1),
  });
  if (body === null)
    return (
      <div class="page">
        {error === null ? (
          <p class="empty">Reading the job …</p>
        ) : (
          <p class="notice" role="alert">
            {error.message}
          </p>
        )}
      </div>
    );
  const { job, attempts } = body;
  const simulations = newestAttempts(attempts);
  const rewards = rewardsOf(simulations);
  const groups = groupsOf(simulations);
  const uniform = groups.filter(({ isUniform }) => isUniform).length;
  const meanReward = mean(rewards);
  return (
    <div class="page">
      <header class="head">
        <h2>{visible(job_id)}</h2>
        <p class="links">
          <span>{plural(job.simulations, "simulation")}</span>
          <span>{count(job.finished)} finished</span>
          {job.running > 0 && <span class="state busy">{count(job.running)} running</span>}
          {job.pending > 0 && <span>{count(job.pending)} pending</span>}
          {job.failed > 0 && <span class="bad">{count(job.failed)} failed</span>}
          {job.interrupted_attempts > 0 && (
            <span>{count(job.interrupted_attempts)} interrupted</span>
          )}
          {meanReward !== null && <strong>mean reward {reward(meanReward)}</strong>}
          {uniform > 0 && <span class="bad">{plural(uniform, "group")} without variance</span>}
          <span>{timeOf(simulations)}</span>
          <a href={hrefOf("sessions", null, { q: filterText("job", job_id) })}>its sessions</a>
        </p>
      </header>
      <div class="figures">
        <Distribution rewards={rewards} />
        <Causes attempts={attempts} />
      </div>
      <h3>Simulations</h3>
      <p class="tools chosen" aria-live="polite">
        {chosen.size === 0 ? (
          <span class="quiet">
            <kbd>x</kbd> on a simulation chooses it, to be shown beside others.
          </span>
        ) : (
          <>
            {plural(chosen.size, "simulation")} chosen
            {chosen.size > 1 && <a href={compareHref([...chosen])}>Side by side</a>}
            <button type="button" onClick={() => setChosen(new Set())}>
              Choose none
            </button>
          </>
        )}
      </p>
      <div ref={grid} class="grid">
        {groups.map((group) => (
          <GroupRow key={group.group_id ?? ""} {...{ group, rewards, chosen }} />
        ))}
      </div>
    </div>
  );
}

async function readJob(source: Source, job_id: string, signal: AbortSignal) {
  const path = `/v1/jobs/${encodeURIComponent(job_id)}`;
  const job = await source.ask<JobSummary>(path, signal);
  const attempts: Simulation[] = [];
  for (let after: string | null = ""; after !== null; ) {
    const page: SimulationsBody = await source.ask<SimulationsBody>(
      `${path}/simulations?limit=1000${after === "" ? "" : `&after=${encodeURIComponent(after)}`}`,
      signal,
    );
    attempts.push(...page.simulations);
    after = source.isLive ? page.next_after : null;
  }
  return { job, attempts };
}

function timeOf(simulations: readonly Simulation[]): string {
  const times = simulations.flatMap(({ started_at, finished_at }) =>
    started_at === null || finished_at === null
      ? []
      : [Date.parse(finished_at) - Date.parse(started_at)],
  );
  const average = mean(times);
  return average === null ? "" : `${duration(average)} each on average`;
}
