import { cutFinishes } from "@proj/sequences";
import {
  type EnvironmentRow,
  type JobStore,
  jobEnvironments,
  type RewardReplacementOutcome,
} from "@proj/session-store";
import type { EvaluatedSimulation } from "../evaluator/evaluator.ts";
import { defaultEvaluationAttempts, defaultTimeouts, type Launch } from "../launch.ts";
import type { AttemptReference } from "../launcher-event.ts";
import { retryStore } from "../reward/store-retry.ts";
import { AttemptFailure } from "../simulation/attempt-failure.ts";
import { judge } from "../simulation/judge.ts";
import { attemptSpans } from "../tracing/attempt-spans.ts";
import { type AttemptFolders, temporaryFolders } from "../workdir/attempt-folders.ts";

export interface EvaluateJobOptions
  extends Pick<Launch, "store" | "job_id" | "llm_model" | "evaluator"> {
  /** Only simulations that were played but have no reward because their evaluator failed. @default false */
  readonly unscoredOnly?: boolean;
  /** How often an evaluator may fail before its simulation fails. @default 3 */
  readonly evaluationAttempts?: number;
  /** Evaluations at once. @default 8 */
  readonly concurrency?: number;
  /** Where the agents' folders were kept. @default nowhere */
  readonly folders?: AttemptFolders;
  readonly timeouts?: Partial<Launch["timeouts"]>;
  /** Makes spans of evaluations and rewards in the sessions' traces. @default nothing is traced */
  readonly tracing?: Launch["tracing"];
  readonly tell?: Launch["tell"];
}

export interface JobEvaluation {
  readonly job_id: string;
  /** Simulations that now have the reward they were given. */
  readonly evaluated: number;
  /** Simulations whose evaluation failed; their rewards are unchanged. */
  readonly failed: number;
  /**
   * Simulations that are running or waiting, or that failed without a result to score; with `unscoredOnly`, also those
   * that have a reward.
   */
  readonly left_out: number;
}

/**
 * Scores what a job has played, again or for the first time: each simulation's newest attempt that ended with a
 * result. No model is called and no gateway is asked. An existing reward is replaced, on the step that had it.
 * @throws StoreUnavailableError; the signal's reason
 */
export async function evaluateJob(
  options: EvaluateJobOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<JobEvaluation> {
  const { store, job_id, unscoredOnly = false, concurrency = 8 } = options;
  const counts = { evaluated: 0, failed: 0, left_out: 0 };
  const waiting = newestAttempts(store, job_id);
  const evaluateOneByOne = async (): Promise<void> => {
    for await (const environment of waiting) {
      signal.throwIfAborted();
      const isWanted = wasPlayed(environment) && !(unscoredOnly && environment.reward !== null);
      counts[isWanted ? await evaluate(environment, options, signal) : "left_out"] += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, evaluateOneByOne));
  return { job_id, ...counts };
}

async function evaluate(
  environment: EnvironmentRow,
  options: EvaluateJobOptions,
  signal: AbortSignal,
): Promise<"evaluated" | "failed" | "left_out"> {
  const { store, llm_model, evaluator, folders = temporaryFolders(), tell = () => {} } = options;
  const { session_id } = environment;
  const attempt = referenceOf(environment);
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const evaluation_attempts = options.evaluationAttempts ?? defaultEvaluationAttempts;
  // Its last evaluator printed it.
  const { last_output: _, ...result } = JSON.parse(environment.result ?? "{}");
  const spans = attemptSpans(options.tracing ?? null, environment);
  try {
    const step_id = await store.readLargestSuccessStep({ session_id, model: llm_model });
    if (step_id === null) {
      const message = `no request of the session to model '${llm_model}' was answered with status 200`;
      throw new AttemptFailure("no_successful_step", message);
    }
    const evaluation = await judge(
      {
        simulation: simulationOf(environment, llm_model),
        result,
        workdir: await folders.find(session_id),
      },
      { evaluator, timeouts, store, evaluation_attempts, tell, spans },
      signal,
    );
    const replacement = {
      ...{ session_id, model: llm_model, step_id, reward: evaluation.score },
      is_truncated: result.truncated === true,
      cut_finishes: [...cutFinishes],
      evaluation: JSON.stringify({ ...evaluation.details, score: evaluation.score }),
    };
    const rewarded = { "simulation.reward": evaluation.score };
    const outcome = await spans.during("reward", rewarded, () =>
      retryStore(() => store.replaceReward(replacement), { timeoutMs: timeouts.storageMs, signal }),
    );
    if (outcome !== "replaced") throw new AttemptFailure(outcome, refusals[outcome]);
    const { reward: previous_reward } = environment;
    tell({
      event: "simulation_evaluated",
      ...attempt,
      reward: evaluation.score,
      previous_reward,
    });
    return "evaluated";
  } catch (error) {
    if (!(error instanceof AttemptFailure)) throw error;
    const { text, last_output } = error;
    tell({ event: "evaluation_failed", ...attempt, error: text, last_output });
    return "failed";
  }
}

const refusals: Readonly<Record<Exclude<RewardReplacementOutcome, "replaced">, string>> = {
  not_ended: "the attempt runs again",
  superseded: "the simulation has a later attempt now",
  no_step: "the step to be rewarded is not in the storage",
};

/** The attempt that counts, for each simulation. */
async function* newestAttempts(
  store: Pick<JobStore, "readEnvironments">,
  job_id: string,
): AsyncGenerator<EnvironmentRow, void, undefined> {
  let newest: EnvironmentRow | null = null;
  for await (const environment of jobEnvironments(store, job_id)) {
    if (newest !== null && newest.simulation_id !== environment.simulation_id) yield newest;
    newest = environment;
  }
  if (newest !== null) yield newest;
}

/** Whether it was played to its end: only the evaluator failed afterwards. */
function wasPlayed({ status, error, result }: EnvironmentRow): boolean {
  if (result === null) return false;
  if (status === "finished") return true;
  return (
    (status === "failed" || status === "infrastructure") &&
    /^(evaluator_\w+|no_total_reward|steps_unreadable):/.test(error ?? "")
  );
}

/** What its evaluator got when it was played, except the gateway, which has forgotten the session. */
function simulationOf(
  { session_id, env_params, ...environment }: EnvironmentRow,
  llm_model: string,
): EvaluatedSimulation {
  const { job_id, simulation_id, attempt, env_name, group_id } = environment;
  return {
    ...{ session_id, job_id, simulation_id, attempt, env_name, group_id, llm_model },
    env_params: env_params === null ? null : JSON.parse(env_params),
    gateway_base_url: null,
    llm_base_url: null,
  };
}

const referenceOf = ({
  job_id,
  simulation_id,
  attempt,
  session_id,
}: EnvironmentRow): AttemptReference => ({
  job_id,
  simulation_id,
  attempt,
  session_id,
});
