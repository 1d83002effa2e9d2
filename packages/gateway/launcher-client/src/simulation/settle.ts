import type { SimulationResult } from "@proj/gateway-protocol";
import { cutFinishes } from "@proj/sequences";
import type { EnvironmentRow } from "@proj/session-store";
import type { Evaluation } from "../evaluator/evaluator.ts";
import type { Launch } from "../launch.ts";
import { commitReward } from "../reward/commit-reward.ts";
import { findRewardStep } from "../reward/find-reward-step.ts";
import { AttemptFailure } from "./attempt-failure.ts";

/** The step that has the reward; null: an earlier call had committed it. */
export interface Settled {
  readonly step_id: number | null;
}

/**
 * Commits the reward and the end of the attempt.
 * @returns null: the attempt no longer belongs to this launcher
 * @throws AttemptFailure there is no step to reward; StoreUnavailableError; the signal's reason
 */
export async function settle(
  { session_id }: EnvironmentRow,
  result: SimulationResult,
  evaluation: Evaluation,
  launch: Launch,
  signal: AbortSignal,
): Promise<Settled | null> {
  const { store, gateway, llm_model: model, owner, timeouts, runtime } = launch;
  const step = await findRewardStep({
    gateway,
    store,
    session_id,
    model,
    retryDelayMs: timeouts.rewardRetryMs,
    storeTimeoutMs: timeouts.storageMs,
    signal,
  });
  if (step === null && runtime.isModelFree !== true) {
    const message = `no request of the session to model '${model}' was answered with status 200`;
    throw new AttemptFailure("no_successful_step", message, { result });
  }
  const outcome = await commitReward(
    store,
    {
      session_id,
      owner,
      model,
      step_id: step?.step_id ?? null,
      reward: evaluation.score,
      is_truncated: result.truncated,
      cut_finishes: [...cutFinishes],
      evaluation: JSON.stringify({ ...evaluation.details, score: evaluation.score }),
      result: JSON.stringify(result),
    },
    { storeTimeoutMs: timeouts.storageMs, signal },
  );
  switch (outcome) {
    case "committed":
      return { step_id: step?.step_id ?? null };
    case "already_committed":
      return { step_id: null };
    case "not_owner":
      return null;
    case "no_step": {
      const message = `step ${step?.step_id} of model '${model}', which the gateway names as the last successful one, is not in the storage`;
      throw new AttemptFailure("reward_step_missing", message, { result });
    }
  }
}
