import { dollars, duration, interval, reward } from "@proj/launcher-client/sheets";
import type { ComparedTask, ReportedRollout } from "@proj/launcher-client/statistics";
import { compareHref } from "../compare/compare-place.ts";
import { hrefOf } from "../shell/location.ts";
import { column, type SortedColumn } from "../table/sorted-table.tsx";
import { compact } from "../text/format.ts";
import { visible } from "../text/visible.ts";
import type { NamedReport, NamedRollout } from "./use-report.ts";

type TaskRow = NamedReport["tasks"][number];

const ofTask = column(
  "task",
  ({ task }: Pick<ReportedRollout, "task">) => task,
  (task) => visible(task),
);
const ofCost = column(
  "cost",
  ({ cost_nano_usd }: Pick<ReportedRollout, "cost_nano_usd">) => cost_nano_usd,
  dollars,
);
const tokensOf = (used: Pick<ReportedRollout, "prompt_tokens" | "completion_tokens">): number =>
  used.prompt_tokens + used.completion_tokens;

/** Of a job, by task. */
export const taskColumns = ({ passes }: NamedReport): readonly SortedColumn<TaskRow>[] => [
  ofTask,
  column("n", ({ n }) => n),
  column("mean", ({ mean }) => mean, reward),
  column("passed", ({ passed }) => passed),
  column(
    "Wilson",
    ({ wilson }) => wilson?.low,
    (_low, { wilson }) => interval(wilson),
  ),
  ...passes.flatMap(({ k }, index): SortedColumn<TaskRow>[] => [
    column(`pass@${k}`, ({ passes: own }) => own[index]?.pass_at_k, reward),
    column(`pass^${k}`, ({ passes: own }) => own[index]?.pass_hat_k, reward),
  ]),
  column("failed", ({ failed }) => failed),
  column("infrastructure", ({ infrastructure }) => infrastructure),
  column("tokens", tokensOf),
  ofCost,
  column("time", ({ mean_duration_ms }) => mean_duration_ms, duration),
  column("tool failures", ({ tool_failures }) => tool_failures),
];

/** Of a job, by simulation. */
export const rolloutColumns: readonly SortedColumn<NamedRollout>[] = [
  column(
    "simulation",
    ({ simulation_id }) => simulation_id,
    (simulation_id, { session_id }) => (
      <a href={hrefOf("sessions", session_id)}>{visible(simulation_id)}</a>
    ),
  ),
  ofTask,
  column("ended", ({ ending }) => ending),
  column("reward", ({ score }) => score, reward),
  column("tokens", tokensOf, compact),
  ofCost,
  column("time", ({ duration_ms }) => duration_ms, duration),
];

/** Of two jobs: each task in the first and in the second. */
export const comparedColumns: readonly SortedColumn<ComparedTask>[] = [
  ofTask,
  column("before", ({ a }) => a, reward),
  column("now", ({ b }) => b, reward),
  column("difference", ({ difference }) => difference, reward),
  column(
    "rollouts",
    ({ sessions: { a, b } }) => a.length + b.length,
    (_rollouts, { task, sessions: { a, b } }) => (
      <a
        href={compareHref([...a.slice(0, 1), ...b.slice(0, 1)])}
        aria-label={`${visible(task)} side by side`}
      >
        side by side
      </a>
    ),
  ),
];
