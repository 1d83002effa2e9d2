import { percentileInterval, resampledMeans } from "./bootstrap.ts";
import { clusteredError, type Interval, mean, studentInterval, sum } from "./means.ts";
import { passAtK, passHatK, type Trials, wilsonInterval } from "./passes.ts";
import { seededRandom } from "./random.ts";

/** The newest attempt of a simulation, as statistics see it. */
export interface ReportedRollout {
  /** Rollouts of one task are repetitions of it. */
  readonly task: string;
  readonly session_id: string;
  readonly ending: "scored" | "failed" | "infrastructure" | "unended";
  /** Null unless it was scored. */
  readonly score: number | null;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cost_nano_usd: number;
  /** From its start to its end; null: it has not ended. */
  readonly duration_ms: number | null;
  /** Tool calls whose result says that they failed; null: they were not counted. */
  readonly tool_failures: number | null;
}

export interface ReportOptions {
  /** A rollout passes with at least this score. @default 1 */
  readonly pass?: number;
  /** The k of pass@k and pass^k. @default 1 and the number of rollouts that every task has */
  readonly k?: readonly number[];
  /** What a failed rollout counts as; null: it is left out. @default null */
  readonly failed_as?: number | null;
  /** @default 0.95 */
  readonly confidence?: number;
  /** @default 10000 */
  readonly draws?: number;
  /** @default 1 */
  readonly seed?: number;
}

export interface PassRate {
  readonly k: number;
  /** At least one of k passes; null: no task has k rollouts. */
  readonly pass_at_k: number | null;
  /** All of k pass. */
  readonly pass_hat_k: number | null;
}

/** What some rollouts say together. Sums and means are over those that count, `failed` and so on over all. */
export interface Summary {
  /** Rollouts that have a score. */
  readonly n: number;
  readonly mean: number | null;
  readonly passed: number;
  readonly passes: readonly PassRate[];
  /** Wilson's interval of the share that passed. */
  readonly wilson: Interval | null;
  readonly failed: number;
  readonly infrastructure: number;
  readonly unended: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cost_nano_usd: number;
  readonly mean_duration_ms: number | null;
  readonly tool_failures: number | null;
}

export interface TaskReport extends Summary {
  readonly task: string;
  readonly session_ids: readonly string[];
}

export interface JobReport extends Summary {
  readonly confidence: number;
  /** Of the mean, clustered by task; null: there are fewer than two tasks. */
  readonly error: number | null;
  /** Of the mean, by Student's t and that error. */
  readonly interval: Interval | null;
  /** Of the mean, from draws of whole tasks. */
  readonly bootstrap: Interval | null;
  /** In the order of their names. */
  readonly tasks: readonly TaskReport[];
}

/** `task-2` comes before `task-10`. */
const byName = new Intl.Collator("en", { numeric: true });

/** The numbers of a job. Rollouts that the infrastructure failed count in nothing but `infrastructure`. */
export function reportJob(
  rollouts: readonly ReportedRollout[],
  options: ReportOptions = {},
): JobReport {
  const { confidence = 0.95, draws = 10_000, seed = 1, failed_as = null } = options;
  const counted = rollouts.map((rollout) =>
    rollout.ending === "failed" && failed_as !== null ? { ...rollout, score: failed_as } : rollout,
  );
  const grouped = [...Map.groupBy(counted, ({ task }) => task)].sort(([one], [other]) =>
    byName.compare(one, other),
  );
  const ks = options.k ?? defaultKs(grouped.map(([, members]) => scoresOf(members).length));
  const settings = { pass: options.pass ?? 1, confidence, ks };
  const tasks = grouped.map(([task, members]) => ({
    task,
    session_ids: members.map(({ session_id }) => session_id),
    ...summarise(members, [members], settings),
  }));
  const clusters = grouped
    .map(([, members]) => scoresOf(members))
    .filter((scores) => scores.length > 0);
  const summary = summarise(
    counted,
    grouped.map(([, members]) => members),
    settings,
  );
  const error = clusteredError(clusters);
  const means = resampledMeans(clusters, clusters.length < 2 ? 0 : draws, seededRandom(seed));
  return {
    ...summary,
    confidence,
    error,
    interval: studentInterval(summary.mean, error, clusters.length, confidence),
    bootstrap: percentileInterval(means, confidence),
    tasks,
  };
}

function summarise(
  rollouts: readonly ReportedRollout[],
  tasks: readonly (readonly ReportedRollout[])[],
  { pass, confidence, ks }: { pass: number; confidence: number; ks: readonly number[] },
): Summary {
  const trialsOf = (members: readonly ReportedRollout[]): Trials => {
    const scores = scoresOf(members);
    return { n: scores.length, passed: scores.filter((score) => score >= pass).length };
  };
  const trials = trialsOf(rollouts);
  const ofTasks = tasks.map(trialsOf);
  const count = (ending: ReportedRollout["ending"]): number =>
    rollouts.filter((rollout) => rollout.ending === ending).length;
  const used = rollouts.filter(({ ending }) => ending === "scored" || ending === "failed");
  const total = (of: (rollout: ReportedRollout) => number): number => sum(used.map(of));
  const knowsTools = used.length > 0 && used.every(({ tool_failures }) => tool_failures !== null);
  return {
    ...trials,
    mean: mean(scoresOf(rollouts)),
    passes: ks.map((k) => ({
      k,
      pass_at_k: passAtK(ofTasks, k),
      pass_hat_k: passHatK(ofTasks, k),
    })),
    wilson: wilsonInterval(trials, confidence),
    failed: count("failed"),
    infrastructure: count("infrastructure"),
    unended: count("unended"),
    prompt_tokens: total(({ prompt_tokens }) => prompt_tokens),
    completion_tokens: total(({ completion_tokens }) => completion_tokens),
    cost_nano_usd: total(({ cost_nano_usd }) => cost_nano_usd),
    mean_duration_ms: mean(used.flatMap(({ duration_ms }) => duration_ms ?? [])),
    tool_failures: knowsTools ? total(({ tool_failures }) => tool_failures ?? 0) : null,
  };
}

const scoresOf = (rollouts: readonly ReportedRollout[]): readonly number[] =>
  rollouts.flatMap(({ score }) => score ?? []);

function defaultKs(counts: readonly number[]): readonly number[] {
  const all = counts.reduce((least, count) => Math.min(least, count), counts[0] ?? 1);
  return all > 1 ? [1, all] : [1];
}
