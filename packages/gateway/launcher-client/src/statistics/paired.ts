import { studentQuantile, studentTails } from "./distributions.ts";
import { deviation, type Interval, mean, studentInterval } from "./means.ts";

/** What the differences of tasks that were played twice say. */
export interface PairedTest {
  /** Tasks in both. */
  readonly tasks: number;
  /** The mean difference; null: there are no tasks. */
  readonly difference: number | null;
  readonly error: number | null;
  readonly interval: Interval | null;
  /** Student's t of the paired test; null: all differences are equal, or there are fewer than two. */
  readonly t: number | null;
  /** How likely a difference at least this large is if there is none; null: it cannot be said. */
  readonly p: number | null;
  /** The smallest true difference that such a test finds with the given power; null: it cannot be said. */
  readonly detectable: number | null;
}

export interface PairedOptions {
  /** @default 0.95 */
  readonly confidence?: number;
  /** How often the smallest detectable difference is found. @default 0.8 */
  readonly power?: number;
}

/** The t test of paired samples: each difference is of one task, so that hard tasks do not hide what changed. */
export function pairedTest(
  differences: readonly number[],
  { confidence = 0.95, power = 0.8 }: PairedOptions = {},
): PairedTest {
  const tasks = differences.length;
  const difference = mean(differences);
  const spread = deviation(differences);
  const error = spread === null ? null : spread / Math.sqrt(tasks);
  const interval = studentInterval(difference, error, tasks, confidence);
  if (difference === null || error === null) {
    return { tasks, difference, error, interval, t: null, p: null, detectable: null };
  }
  // Bloom's minimum detectable effect (1995).
  const reach =
    studentQuantile((1 + confidence) / 2, tasks - 1) + studentQuantile(power, tasks - 1);
  const detectable = reach * error;
  if (error === 0) {
    const p = difference === 0 ? null : 0;
    return { tasks, difference, error, interval, t: null, p, detectable };
  }
  const t = difference / error;
  return { tasks, difference, error, interval, t, p: studentTails(t, tasks - 1), detectable };
}
