import type { ComparedTask, JobComparison } from "../statistics/compare-jobs.ts";
import { count, reward } from "./quantities.ts";
import { interval, type NamedReport } from "./report-sheet.ts";
import { numbersUnder, type Sheet } from "./sheet.ts";

/** What a comparison says, with `a` as the job that is known and `b` as the one in question. */
export function comparisonSheet(a: NamedReport, b: NamedReport, comparison: JobComparison): Sheet {
  const { better, worse, equal, only_a, only_b } = comparison;
  const tasks = (title: string, rows: readonly ComparedTask[]) => ({
    title,
    isByTask: true,
    columns: numbersUnder("task", "A", "B", "difference"),
    rows: rows.map((task) => [
      task.task,
      ...[task.a, task.b, task.difference].map((value) => reward(value)),
    ]),
  });
  return {
    title: `B ${b.job_id} against A ${a.job_id}`,
    summary: [
      verdict(comparison),
      detectable(comparison),
      `${count(comparison.tasks, "task")} in both: ${better.length} better, ${worse.length} worse, ${equal} equal.`,
      ...(only_a.length + only_b.length > 0
        ? [`Not compared: ${only_a.length} only in A, ${only_b.length} only in B.`]
        : []),
    ],
    tables: [
      {
        title: "Both jobs",
        columns: numbersUnder("job", "n", "mean", "interval", "failed", "infrastructure"),
        rows: [a, b].map((job) => [
          ...[job.job_id, String(job.n), reward(job.mean), interval(job.interval)],
          ...[String(job.failed), String(job.infrastructure)],
        ]),
      },
      {
        title: "Paired test",
        columns: numbersUnder("", "value"),
        rows: [
          ["difference", reward(comparison.difference)],
          ["standard error", reward(comparison.error)],
          ["interval", interval(comparison.interval)],
          ["t", reward(comparison.t)],
          ["p", reward(comparison.p)],
          ["smallest difference found 4 times in 5", reward(comparison.detectable)],
        ],
      },
      tasks("Better", better),
      tasks("Worse", worse),
    ],
  };
}

/** One sentence for a person who wants to know whether to switch. */
function verdict({ difference, error, interval: bounds, p, confidence }: JobComparison): string {
  if (difference === null) return "The jobs have no task in common.";
  const size = `${reward(Math.abs(difference))}`;
  const way = difference < 0 ? "worse" : "better";
  const sure = Number((100 * confidence).toPrecision(4));
  if (bounds === null) return `B is ${size} ${way} on one task, which says nothing about others.`;
  if (difference === 0 && error === 0) return "A and B have the same mean on every task.";
  const isClear = p !== null && p < 1 - confidence;
  const range = `between ${reward(bounds.low)} and ${reward(bounds.high)}, ${sure} % sure`;
  if (isClear) return `B is ${way} than A by ${size} (${range}).`;
  return `No difference is shown: B is ${size} ${way} than A, but that may be chance (${range}).`;
}

const detectable = ({ detectable: size, error }: JobComparison): string =>
  size === null
    ? "At least two tasks are needed to say how large a difference would be found."
    : error === 0
      ? "All tasks differ by the same amount, so it cannot be said how large a difference would be found."
      : `With these tasks, a true difference of ${reward(size)} or more would be found 4 times in 5.`;
