import type { JobReport, Summary } from "../statistics/report-job.ts";
import { count, dollars, duration, reward } from "./quantities.ts";
import { numbersUnder, type Sheet } from "./sheet.ts";

export type NamedReport = JobReport & { readonly job_id: string };

export const interval = (bounds: JobReport["interval"]): string =>
  bounds === null ? "–" : `${reward(bounds.low)} to ${reward(bounds.high)}`;

/** @param more sentences that follow the report's own */
export function reportSheet(report: NamedReport, more: readonly string[] = []): Sheet {
  const percent = `${Number((100 * report.confidence).toPrecision(4))} %`;
  const rows = [
    ...report.passes.flatMap(({ k, pass_at_k, pass_hat_k }) => [
      [`pass@${k}`, reward(pass_at_k)],
      [`pass^${k}`, reward(pass_hat_k)],
    ]),
    ["standard error, clustered by task", reward(report.error)],
    [`${percent} interval of the mean`, interval(report.interval)],
    [`${percent} interval from draws of tasks`, interval(report.bootstrap)],
    [`${percent} interval of the share passed (Wilson)`, interval(report.wilson)],
    ["tokens in", String(report.prompt_tokens)],
    ["tokens out", String(report.completion_tokens)],
    ["cost", dollars(report.cost_nano_usd)],
    ["mean time", timeOf(report)],
    ["tool calls that failed", toolsOf(report)],
  ];
  return {
    title: `job ${report.job_id}`,
    summary: [meanSentence(report), ...leftOut(report), ...more],
    tables: [
      { title: "Over all", columns: numbersUnder("", "value"), rows },
      {
        title: "By task",
        isByTask: true,
        columns: numbersUnder(
          ...["task", "n", "mean", "passed", `Wilson ${percent}`],
          ...report.passes.flatMap(({ k }) => [`pass@${k}`, `pass^${k}`]),
          ...["failed", "infrastructure", "tokens", "cost", "time", "tool failures"],
        ),
        rows: report.tasks.map((task) => [
          ...[task.task, String(task.n), reward(task.mean), String(task.passed)],
          interval(task.wilson),
          ...task.passes.flatMap(({ pass_at_k, pass_hat_k }) => [
            reward(pass_at_k),
            reward(pass_hat_k),
          ]),
          ...[String(task.failed), String(task.infrastructure)],
          String(task.prompt_tokens + task.completion_tokens),
          ...[dollars(task.cost_nano_usd), timeOf(task), toolsOf(task)],
        ]),
      },
    ],
  };
}

export function meanSentence({ n, tasks, mean, interval: bounds }: NamedReport): string {
  const of = `${count(n, "rollout")} of ${count(tasks.length, "task")}`;
  if (mean === null) return `${of}: no score.`;
  const sure = bounds === null ? "" : `, between ${reward(bounds.low)} and ${reward(bounds.high)}`;
  return `${of}: mean ${reward(mean)}${sure}.`;
}

/** Which rollouts have no score of their own. */
export function leftOut({ n, failed, infrastructure, unended, tasks }: NamedReport): string[] {
  const all = tasks.reduce((total, { session_ids }) => total + session_ids.length, 0);
  const isCounted = n + failed + infrastructure + unended > all;
  return [
    ...(failed > 0
      ? [
          `${count(failed, "rollout")} failed, ${isCounted ? "counted" : "not counted"} in the mean.`,
        ]
      : []),
    ...(infrastructure > 0
      ? [`${count(infrastructure, "rollout")} lost to infrastructure failures, not counted.`]
      : []),
    ...(unended > 0 ? [`${count(unended, "rollout")} without a score yet.`] : []),
  ];
}

const timeOf = ({ mean_duration_ms }: Summary): string =>
  mean_duration_ms === null ? "–" : duration(mean_duration_ms);

const toolsOf = ({ tool_failures }: Summary): string =>
  tool_failures === null ? "–" : String(tool_failures);
