import { mean } from "@proj/launcher-client/statistics";
import type { JobSummary } from "@proj/session-store";
import type { Simulation } from "@proj/session-store/answers";
import { useSource } from "../data/use-answer.ts";
import { useHasGateway } from "../data/use-has-gateway.ts";
import { filterText } from "../list/filters.ts";
import { hrefOf } from "../shell/location.ts";
import { Cost } from "../text/cost.tsx";
import { compact, count, duration, plural, reward } from "../text/format.ts";
import { visible } from "../text/visible.ts";
import { timeOf, totalOf, type UsageBySession } from "./measures.ts";

interface JobHeadProps {
  readonly job: JobSummary;
  /** The newest attempt of each. */
  readonly simulations: readonly Simulation[];
  readonly rewards: readonly number[];
  /** How many groups have the same reward throughout. */
  readonly uniform: number;
  readonly usage: UsageBySession | null;
}

/** How far the job is, how it went, and what it used. */
export function JobHead({ job, simulations, rewards, uniform, usage }: JobHeadProps) {
  const hasGateway = useHasGateway(useSource());
  const meanReward = mean(rewards);
  const time = mean(simulations.flatMap((simulation) => timeOf(simulation) ?? []));
  return (
    <header class="head">
      <h2>{visible(job.job_id)}</h2>
      <p class="links">
        <span>{plural(job.simulations, "simulation")}</span>
        <span>{count(job.finished)} finished</span>
        {job.running > 0 && <span class="state busy">{count(job.running)} running</span>}
        {job.pending > 0 && <span>{count(job.pending)} pending</span>}
        {job.failed > 0 && <span class="bad">{count(job.failed)} failed</span>}
        {job.infrastructure > 0 && (
          <span class="bad">{plural(job.infrastructure, "infrastructure failure")}</span>
        )}
        {job.interrupted_attempts > 0 && <span>{count(job.interrupted_attempts)} interrupted</span>}
        {meanReward !== null && <strong>mean reward {reward(meanReward)}</strong>}
        {uniform > 0 && <span class="bad">{plural(uniform, "group")} without variance</span>}
        {time !== null && <span>{duration(time)} each on average</span>}
        {usage !== null && <Used usage={usage} simulations={job.simulations} />}
        <a href={hrefOf("sessions", null, { q: filterText("job", job.job_id) })}>Sessions</a>
        <a href={hrefOf("report", null, { job: job.job_id })}>Report and comparison</a>
        <a href={hrefOf("tools", null, { job: job.job_id })}>Tools</a>
        {hasGateway && <a href={hrefOf("review", job.job_id)}>Score rollouts</a>}
      </p>
    </header>
  );
}

interface UsedProps {
  readonly usage: UsageBySession;
  readonly simulations: number;
}

function Used({ usage, simulations }: UsedProps) {
  const { prompt_tokens, completion_tokens, cost_nano_usd } = totalOf(usage);
  return (
    <>
      <span>
        {compact(prompt_tokens)} → {compact(completion_tokens)} tokens
      </span>
      {cost_nano_usd > 0 && (
        <span>
          <Cost nano={cost_nano_usd} />, <Cost nano={Math.round(cost_nano_usd / simulations)} />{" "}
          each
        </span>
      )}
    </>
  );
}
