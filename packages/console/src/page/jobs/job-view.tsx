import type { JobSummary } from "@proj/session-store";
import { useEffect, useRef } from "preact/hooks";
import type { Simulation, SimulationsBody } from "../../answers/browse.ts";
import type { Source } from "../data/source.ts";
import { useAnswer } from "../data/use-answer.ts";
import { filterText } from "../list/filters.ts";
import { moveAmong } from "../list/sessions-view.tsx";
import { useKeys } from "../shell/keys.ts";
import { hrefOf } from "../shell/location.ts";
import { count, duration, plural, reward } from "../text/format.ts";
import { visible } from "../text/visible.ts";
import {
  causesOf,
  distribution,
  type Group,
  groupsOf,
  mean,
  newestAttempts,
  rewardsOf,
  shadeOf,
} from "./job-figures.ts";

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
  useKeys({
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
      <div ref={grid} class="grid">
        {groups.map((group) => (
          <GroupRow key={group.group_id ?? ""} group={group} rewards={rewards} />
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

function GroupRow({
  group,
  rewards,
}: {
  readonly group: Group;
  readonly rewards: readonly number[];
}) {
  const { group_id, simulations, isUniform, mean } = group;
  return (
    <section
      class={isUniform ? "group uniform" : "group"}
      aria-label={group_id ?? "Without a group"}
    >
      {group_id !== null && (
        <p>
          {visible(group_id)}{" "}
          <span class="quiet">
            {mean !== null && `mean ${reward(mean)}`}
            {isUniform && ", no variance"}
          </span>
        </p>
      )}
      <div class="cells">
        {simulations.map((simulation) => (
          <Cell key={simulation.simulation_id} simulation={simulation} rewards={rewards} />
        ))}
      </div>
    </section>
  );
}

interface CellProps {
  readonly simulation: Simulation;
  readonly rewards: readonly number[];
}

function Cell({ simulation, rewards }: CellProps) {
  const { session_id, simulation_id, status, attempt } = simulation;
  const shade =
    simulation.reward === null ? status : `shade-${shadeOf(simulation.reward, rewards)}`;
  const said = simulation.reward === null ? status : `reward ${reward(simulation.reward)}`;
  const label = `${visible(simulation_id)}, ${said}${attempt > 1 ? `, attempt ${attempt}` : ""}`;
  return (
    <a
      class={`cell ${shade}`}
      href={hrefOf("sessions", session_id)}
      aria-label={label}
      title={
        simulation.error === null ? label : `${label}: ${visible(simulation.error).slice(0, 200)}`
      }
    >
      {simulation.reward === null ? signs[status] : reward(simulation.reward)}
    </a>
  );
}

const signs: Readonly<Record<Simulation["status"], string>> = {
  pending: "·",
  running: "…",
  finished: "–",
  failed: "✕",
  interrupted: "!",
};

function Distribution({ rewards }: { readonly rewards: readonly number[] }) {
  const bars = distribution(rewards);
  if (bars.length === 0) return null;
  const most = Math.max(...bars.map(({ count }) => count));
  return (
    <section aria-label="Distribution of rewards">
      <h3>Rewards</h3>
      <ol class="bars">
        {bars.map(({ from, to, count: times }) => (
          <li key={from}>
            <span class="number">
              {from === to ? reward(from) : `${reward(from)} – ${reward(to)}`}
            </span>
            <span class="bar-of" style={{ width: `${(60 * times) / most}%` }} />
            {count(times)}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Causes({ attempts }: { readonly attempts: readonly Simulation[] }) {
  const causes = causesOf(attempts);
  if (causes.length === 0) return null;
  return (
    <section aria-label="Failures by cause">
      <h3>Failures</h3>
      <ul class="causes">
        {causes.map(({ code, attempts }) => (
          <li key={code}>
            <span class="bad">{count(attempts.length)} ×</span> <code>{visible(code)}</code>{" "}
            {attempts.slice(0, 3).map(({ session_id, simulation_id }) => (
              <a key={session_id} href={hrefOf("sessions", session_id)}>
                {visible(simulation_id)}
              </a>
            ))}
            <p class="preview">{visible(attempts[0]?.error ?? "").slice(0, 200)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
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
