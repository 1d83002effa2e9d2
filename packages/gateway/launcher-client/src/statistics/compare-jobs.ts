import type { PairedTest } from "./paired.ts";
import { pairedTest } from "./paired.ts";
import type { JobReport, TaskReport } from "./report-job.ts";

export interface ComparedTask {
  readonly task: string;
  readonly a: number;
  readonly b: number;
  /** `b` minus `a`. */
  readonly difference: number;
  /** For a look at both, side by side. */
  readonly sessions: { readonly a: readonly string[]; readonly b: readonly string[] };
}

export interface JobComparison extends PairedTest {
  readonly confidence: number;
  /** Tasks in which `b` has the higher mean, the largest difference first. */
  readonly better: readonly ComparedTask[];
  /** Tasks in which it has the lower one, the largest difference first. */
  readonly worse: readonly ComparedTask[];
  readonly equal: number;
  /** Tasks that have a score in only one of the jobs: they are not compared. */
  readonly only_a: readonly string[];
  readonly only_b: readonly string[];
}

/** Compares `b` with `a`, task by task: both must have been reported with the same options. */
export function compareJobs(a: JobReport, b: JobReport): JobComparison {
  const ofB = new Map(b.tasks.map((task) => [task.task, task]));
  const ofA = new Map(a.tasks.map((task) => [task.task, task]));
  const compared = a.tasks.flatMap((task) => {
    const other = ofB.get(task.task);
    return other === undefined ? [] : comparedTask(task, other);
  });
  const isScored = (task: TaskReport | undefined): boolean => (task?.mean ?? null) !== null;
  const only = (tasks: readonly TaskReport[], others: ReadonlyMap<string, TaskReport>): string[] =>
    tasks
      .filter((task) => isScored(task) && !isScored(others.get(task.task)))
      .map(({ task }) => task);
  const differences = compared.map(({ difference }) => difference);
  return {
    ...pairedTest(differences, { confidence: a.confidence }),
    confidence: a.confidence,
    better: compared
      .filter(({ difference }) => difference > 0)
      .sort((one, other) => other.difference - one.difference),
    worse: compared
      .filter(({ difference }) => difference < 0)
      .sort((one, other) => one.difference - other.difference),
    equal: compared.filter(({ difference }) => difference === 0).length,
    only_a: only(a.tasks, ofB),
    only_b: only(b.tasks, ofA),
  };
}

function comparedTask(a: TaskReport, b: TaskReport): ComparedTask[] {
  if (a.mean === null || b.mean === null) return [];
  const sessions = { a: a.session_ids, b: b.session_ids };
  const difference = b.mean - a.mean;
  return [{ task: a.task, a: a.mean, b: b.mean, difference, sessions }];
}
