import { useEffect, useRef, useState } from "preact/hooks";
import { maxRollouts } from "../compare/use-rollouts.ts";
import { useAnswer } from "../data/use-answer.ts";
import { useKeys } from "../shell/keys.ts";
import { moveAmong } from "../shell/move-among.ts";
import { ChoiceBar } from "./choice-bar.tsx";
import { GroupRow } from "./group-row.tsx";
import { Causes, Distribution } from "./job-charts.tsx";
import { groupsOf, newestAttempts, rangeOf, rewardsOf } from "./job-figures.ts";
import { JobHead } from "./job-head.tsx";
import { type Measure, measures } from "./measures.ts";
import { readJob } from "./read-job.ts";
import { useUsage } from "./use-usage.ts";
import "./jobs.css";
import { Notice } from "../text/notice.tsx";

interface JobViewProps {
  readonly job_id: string;
  readonly onError: (error: Error) => void;
}

const refreshMs = 5_000;
const measureNames = Object.keys(measures) as Measure[];

/** A job: each simulation is a cell, coloured by its reward, and each group a row. */
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
  const [isChoosing, setChoosing] = useState(false);
  const choose = (session_id: string | null): void => {
    if (session_id === null) return;
    const next = new Set(chosen);
    if (!next.delete(session_id) && next.size < maxRollouts) next.add(session_id);
    setChosen(next);
  };
  useKeys({
    x: () => choose(document.activeElement?.getAttribute("data-session") ?? null),
    j: () => moveAmong(grid.current, "a.cell", 1),
    k: () => moveAmong(grid.current, "a.cell", -1),
    n: () => moveAmong(grid.current, "a.cell.failed", 1),
  });
  const isOver = body !== null && body.job.pending + body.job.running === 0;
  const usage = useUsage(job_id, isOver);
  if (body === null)
    return (
      <div class="page">
        {error === null ? <p class="empty">Loading the job …</p> : <Notice error={error} />}
      </div>
    );
  const { job, attempts } = body;
  const simulations = newestAttempts(attempts);
  const rewards = rewardsOf(simulations);
  const range = rangeOf(rewards);
  const groups = groupsOf(simulations);
  const members = groups.reduce((most, group) => Math.max(most, group.simulations.length), 1);
  const uniform = groups.filter(({ isUniform }) => isUniform).length;
  return (
    <div class="page">
      <JobHead {...{ job, simulations, rewards, uniform, usage }} />
      <div class="figures">
        <Distribution {...{ rewards, range }} />
        <Causes attempts={attempts} />
      </div>
      <h3>Simulations</h3>
      <div class="tools">
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
          <span class="quiet">coloured by reward</span>
        </label>
        <ChoiceBar
          {...{ chosen, isChoosing }}
          onClear={() => setChosen(new Set())}
          onChoosing={setChoosing}
        />
      </div>
      <div ref={grid} class="grid" style={{ "--members": members }}>
        {groups.map((group) => (
          <GroupRow
            key={group.group_id ?? ""}
            {...{ group, range, chosen, measure, usage }}
            onChoose={isChoosing ? choose : null}
          />
        ))}
      </div>
    </div>
  );
}
