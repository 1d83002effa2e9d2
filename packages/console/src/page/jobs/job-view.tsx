import type { JobSummary } from "@proj/session-store";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Simulation, SimulationsBody } from "../../answers/browse.ts";
import { compareHref } from "../compare/compare-place.ts";
import { mostRollouts } from "../compare/use-rollouts.ts";
import type { Source } from "../data/source.ts";
import { useAnswer } from "../data/use-answer.ts";
import { useKeys } from "../shell/keys.ts";
import { moveAmong } from "../shell/move-among.ts";
import { plural } from "../text/format.ts";
import { GroupRow } from "./group-row.tsx";
import { Causes, Distribution } from "./job-charts.tsx";
import { groupsOf, newestAttempts, rewardsOf } from "./job-figures.ts";
import { JobHead } from "./job-head.tsx";
import { type Measure, measures } from "./measures.ts";
import { useUsage } from "./use-usage.ts";
import "./jobs.css";

interface JobViewProps {
  readonly job_id: string;
  readonly onError: (error: Error) => void;
}

const refreshMs = 5_000;
const measureNames = Object.keys(measures) as Measure[];

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
  const [measure, setMeasure] = useState<Measure>("reward");
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
  const isOver = body !== null && body.job.pending + body.job.running === 0;
  const usage = useUsage(job_id, isOver);
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
  return (
    <div class="page">
      <JobHead {...{ job, simulations, rewards, uniform, usage }} />
      <div class="figures">
        <Distribution rewards={rewards} />
        <Causes attempts={attempts} />
      </div>
      <h3>Simulations</h3>
      <label class="tools">
        Show
        <select
          value={measure}
          onChange={({ currentTarget }) => setMeasure(currentTarget.value as Measure)}
        >
          {measureNames.map((name) => (
            <option key={name} value={name}>
              {measures[name]}
            </option>
          ))}
        </select>
        <span class="quiet">in the colour of the reward</span>
      </label>
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
          <GroupRow key={group.group_id ?? ""} {...{ group, rewards, chosen, measure, usage }} />
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
