import { dollars, duration, interval, reward } from "@proj/launcher-client/sheets";
import type { ComparedTask } from "@proj/launcher-client/statistics";
import { compareHref } from "../compare/compare-place.ts";
import { hrefOf } from "../shell/location.ts";
import type { SortedColumn } from "../table/sorted-table.tsx";
import { compact } from "../text/format.ts";
import { visible } from "../text/visible.ts";
import type { NamedReport, NamedRollout } from "./use-report.ts";

type TaskRow = NamedReport["tasks"][number];

/** Of a job, by task. */
export const taskColumns = ({ passes }: NamedReport): readonly SortedColumn<TaskRow>[] => [
  { name: "task", by: ({ task }) => task, show: ({ task }) => visible(task) },
  { name: "n", by: ({ n }) => n },
  { name: "mean", by: ({ mean }) => mean, show: ({ mean }) => reward(mean) },
  { name: "passed", by: ({ passed }) => passed },
  {
    name: "Wilson",
    by: ({ wilson }) => wilson?.low ?? null,
    show: ({ wilson }) => interval(wilson),
  },
  ...passes.flatMap(({ k }, index): SortedColumn<TaskRow>[] => [
    rateColumn(`pass@${k}`, ({ passes: own }) => own[index]?.pass_at_k ?? null),
    rateColumn(`pass^${k}`, ({ passes: own }) => own[index]?.pass_hat_k ?? null),
  ]),
  { name: "failed", by: ({ failed }) => failed },
  { name: "infrastructure", by: ({ infrastructure }) => infrastructure },
  {
    name: "tokens",
    by: ({ prompt_tokens, completion_tokens }) => prompt_tokens + completion_tokens,
  },
  {
    name: "cost",
    by: ({ cost_nano_usd }) => cost_nano_usd,
    show: ({ cost_nano_usd }) => dollars(cost_nano_usd),
  },
  {
    name: "time",
    by: ({ mean_duration_ms }) => mean_duration_ms,
    show: ({ mean_duration_ms: ms }) => (ms === null ? "–" : duration(ms)),
  },
  { name: "tool failures", by: ({ tool_failures }) => tool_failures },
];

const rateColumn = (name: string, by: (task: TaskRow) => number | null): SortedColumn<TaskRow> => ({
  name,
  by,
  show: (task) => reward(by(task)),
});

/** Of a job, by simulation. */
export const rolloutColumns: readonly SortedColumn<NamedRollout>[] = [
  {
    name: "simulation",
    by: ({ simulation_id }) => simulation_id,
    show: ({ session_id, simulation_id }) => (
      <a href={hrefOf("sessions", session_id)}>{visible(simulation_id)}</a>
    ),
  },
  { name: "task", by: ({ task }) => task, show: ({ task }) => visible(task) },
  { name: "ended", by: ({ ending }) => ending },
  { name: "reward", by: ({ score }) => score, show: ({ score }) => reward(score) },
  {
    name: "tokens",
    by: ({ prompt_tokens, completion_tokens }) => prompt_tokens + completion_tokens,
    show: ({ prompt_tokens, completion_tokens }) => compact(prompt_tokens + completion_tokens),
  },
  {
    name: "cost",
    by: ({ cost_nano_usd }) => cost_nano_usd,
    show: ({ cost_nano_usd }) => dollars(cost_nano_usd),
  },
  {
    name: "time",
    by: ({ duration_ms }) => duration_ms,
    show: ({ duration_ms: ms }) => (ms === null ? "–" : duration(ms)),
  },
];

/** Of two jobs: each task in the first and in the second. */
export const comparedColumns: readonly SortedColumn<ComparedTask>[] = [
  { name: "task", by: ({ task }) => task, show: ({ task }) => visible(task) },
  { name: "before", by: ({ a }) => a, show: ({ a }) => reward(a) },
  { name: "now", by: ({ b }) => b, show: ({ b }) => reward(b) },
  { name: "difference", by: ({ difference }) => difference, show: (row) => reward(row.difference) },
  {
    name: "rollouts",
    by: ({ sessions: { a, b } }) => a.length + b.length,
    show: ({ task, sessions: { a, b } }) => (
      <a
        href={compareHref([...a.slice(0, 1), ...b.slice(0, 1)])}
        aria-label={`${visible(task)} side by side`}
      >
        side by side
      </a>
    ),
  },
];
