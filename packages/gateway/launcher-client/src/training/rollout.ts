import type { JsonObject } from "@proj/model-apis/json";
import { parsedObject } from "@proj/model-apis/json";
import { type Ledger, type Sequence, type SequenceOptions, sequences } from "@proj/sequences";
import { EnginePrompts, RecordedStep, type StepHeaders } from "@proj/sequences/recorded";
import type { EnvironmentRow, JobStore } from "@proj/session-store";
import { sessionSteps } from "@proj/session-store/answers";
import type { WeightAges } from "./weight-ages.ts";

/** An attempt that has ended, in the form that trainers use. */
export interface Rollout {
  readonly environment: EnvironmentRow;
  /** By their ids in the sequences, in the order in which they were stored. */
  readonly steps: ReadonlyMap<string, RecordedStep>;
  readonly sequences: readonly Sequence[];
  readonly ledger: Ledger;
  /** The evaluator's details beside the score, and the runtime's metrics; null: none. */
  readonly evaluation: unknown;
  readonly metrics: unknown;
  /** What cut it off: a `TruncationCause`, or `length` if its last answer was; null: nothing. */
  readonly truncated_by: string | null;
  /** Headers of the steps that have any. */
  readonly headers: readonly StepHeaders[];
}

export type RolloutOptions = Omit<SequenceOptions, "rollout_id"> & {
  readonly signal?: AbortSignal | undefined;
  /** Masks tokens of weights that are too old; the ledger does not know of it. */
  readonly weights?: WeightAges | undefined;
};

/**
 * Reads the steps of an attempt; all of them are in memory at once.
 * @throws StoreUnavailableError; the signal's reason
 */
export async function readRollout(
  store: Pick<JobStore, "readSteps">,
  environment: EnvironmentRow,
  { signal, weights, ...options }: RolloutOptions = {},
): Promise<Rollout> {
  const { session_id } = environment;
  const steps = new Map<string, RecordedStep>();
  const prompts = new EnginePrompts();
  const headers: StepHeaders[] = [];
  let evaluation: unknown = null;
  for await (const stored of sessionSteps(store, session_id)) {
    signal?.throwIfAborted();
    // Calls beside the steps, such as embeddings, sample no tokens.
    const read = stored.step_id > 0 ? RecordedStep.allOf(stored, prompts) : [];
    for (const step of read) steps.set(step.id, step);
    const [first] = read;
    if (first !== undefined && first.headers !== null) headers.push(first.headers);
    if (stored.is_session_completed) evaluation = parsedObject(stored.meta_json).eval ?? null;
  }
  const { sequences: found, ledger } = sequences([...steps.values()], {
    ...options,
    rollout_id: session_id,
  });
  const { metrics = null, truncated_by } = parsedObject(environment.result);
  const isCut = [...steps.values()].some(({ is_truncated }) => is_truncated);
  const cause = typeof truncated_by === "string" ? truncated_by : "length";
  return {
    ...{
      environment,
      steps,
      sequences: weights?.mask(found) ?? found,
      ledger,
      evaluation,
      metrics,
      headers,
    },
    truncated_by: isCut ? cause : null,
  };
}

/** The members of `describeRollout`. */
export const rolloutColumns: readonly string[] = [
  ...["rollout_id", "group", "rollout_lines", "weight"],
  ...["session_id", "job_id", "simulation_id", "attempt", "group_id", "env_name", "env_params"],
  ...["status", "reward", "evaluation", "metrics", "headers"],
];

/**
 * The members that describe the rollout on every line of an export. Rollouts with the same `group` are compared with
 * each other; two jobs share none. Weighted by `weight`, a mean over lines is the mean over rollouts.
 * @param lines how many lines the rollout has
 */
export function describeRollout(
  { environment, evaluation, metrics, headers }: Rollout,
  lines: number,
): JsonObject {
  const { session_id, job_id, simulation_id, attempt, group_id, env_name } = environment;
  const { status, reward } = environment;
  const names = { session_id, job_id, simulation_id, attempt, group_id, env_name };
  const env_params = parsedObject(environment.env_params);
  const group = `${job_id}/${group_id ?? simulation_id}`;
  const place = { rollout_id: session_id, group, rollout_lines: lines, weight: 1 / lines };
  return { ...place, ...names, env_params, status, reward, evaluation, metrics, headers };
}
