import type { FailureGroup, Usage } from "@proj/launcher-client";
import { count, dollars, reward } from "@proj/launcher-client/sheets";
import type { JobSummary } from "@proj/session-store";
import { printable } from "../text/printable.ts";
import type { JobFailures } from "./job-failures.ts";

/** An agent's own message may be a page of it. */
const maxMessage = 2_000;

/** A job's state, and why simulations failed. */
export function jobText(job: JobSummary, failed_by: JobFailures, usage: Usage): string {
  const { simulations, pending, running, finished, failed, infrastructure } = job;
  const { infrastructure_attempts, interrupted_attempts } = job;
  const counts = [
    `${finished} finished`,
    `${failed} failed`,
    ...(infrastructure > 0 ? [count(infrastructure, "infrastructure failure")] : []),
    ...(running > 0 ? [`${running} running`] : []),
    ...(pending > 0 ? [`${pending} pending`] : []),
  ];
  const ofInfrastructure =
    infrastructure_attempts > 0
      ? `, ${count(infrastructure_attempts, "attempt")} lost to infrastructure`
      : "";
  const interrupted =
    interrupted_attempts > 0 ? `, ${count(interrupted_attempts, "attempt")} interrupted` : "";
  const lines = [
    `job ${job.job_id}`,
    `  started ${job.created_at}, last ended ${job.finished_at ?? "–"}`,
    `  ${count(simulations, "simulation")}: ${counts.join(", ")}${ofInfrastructure}${interrupted}`,
    `  mean reward ${reward(job.mean_reward)}`,
    ...usageLines(usage),
    ...failed_by.failures.flatMap((group) => failureLines(group, "failed")),
    ...failed_by.infrastructure_failures.flatMap((group) =>
      failureLines(group, "lost to infrastructure"),
    ),
  ];
  return printable(`${lines.join("\n")}\n`);
}

/** Empty before a step was recorded. */
function usageLines({ calls, prompt_tokens, completion_tokens, cost_nano_usd }: Usage): string[] {
  if (calls === 0) return [];
  const cost = cost_nano_usd === 0 ? "" : `, ${dollars(cost_nano_usd)}`;
  return [`  ${prompt_tokens} tokens in, ${completion_tokens} out${cost}`];
}

/** Each error with examples, which `launcher show` can show. */
function failureLines(group: FailureGroup, how: string): string[] {
  const { cause, error, attempts, examples } = group;
  const more = attempts - examples.length;
  return [
    `  ${count(attempts, "attempt")} ${how}: ${cause.replace("_", " ")} (${error})`,
    ...examples.map(({ session_id, simulation_id, attempt, message }) => {
      const line = message.replace(/\s+/g, " ").slice(0, maxMessage);
      return `    ${simulation_id}, attempt ${attempt}, session ${session_id}: ${line}`;
    }),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ];
}
