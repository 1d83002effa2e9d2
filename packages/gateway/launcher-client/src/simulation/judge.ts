import type { SimulationResult } from "@proj/gateway-protocol";
import { sleep } from "@proj/http-client";
import { StoreUnavailableError } from "@proj/session-store";
import { sessionSteps } from "@proj/session-store/answers";
import type { EvaluatedSimulation, Evaluation } from "../evaluator/evaluator.ts";
import { EvaluatorError } from "../evaluator/evaluator-error.ts";
import type { Launch } from "../launch.ts";
import type { AttemptSpans } from "../tracing/attempt-spans.ts";
import { AttemptFailure } from "./attempt-failure.ts";
import { TimeUpError, withinTime } from "./within-time.ts";

/** A simulation that was played. */
export interface Played {
  readonly simulation: EvaluatedSimulation;
  readonly result: SimulationResult;
  /** The folder that the agent worked in; null: it had none. */
  readonly workdir: string | null;
}

type Judging = Pick<Launch, "evaluator" | "timeouts" | "store" | "evaluation_attempts" | "tell"> & {
  readonly spans: AttemptSpans;
};

const maxPauseMs = 60_000;

/**
 * Has the evaluator score what was played, and asks it again when it fails; the simulation is not played again.
 * @throws AttemptFailure; StoreUnavailableError; the signal's reason
 */
export async function judge(
  played: Played,
  judging: Judging,
  signal: AbortSignal,
): Promise<Evaluation> {
  const { evaluation_attempts, timeouts, tell } = judging;
  const { job_id, simulation_id, attempt, session_id } = played.simulation;
  for (let failures = 1; ; failures += 1) {
    try {
      return await judging.spans.during(
        "evaluation",
        { "evaluation.try": failures },
        async (span) => {
          const evaluation = await judgeOnce(played, judging, span.traceparent, signal);
          span.set({ "gen_ai.evaluation.score.value": evaluation.score });
          return evaluation;
        },
      );
    } catch (error) {
      if (!(error instanceof AttemptFailure) || failures >= evaluation_attempts) throw error;
      // The result will have no reward on the next try either.
      if (error.code === "no_total_reward") throw error;
      const { text, last_output } = error;
      const reference = { job_id, simulation_id, attempt, session_id };
      tell({ event: "evaluation_retried", ...reference, failures, error: text, last_output });
      const pauseMs = timeouts.evaluationRetryMs * 2 ** (failures - 1);
      await sleep(Math.min(pauseMs, maxPauseMs), signal);
    }
  }
}

async function judgeOnce(
  { simulation, result, workdir }: Played,
  { evaluator, timeouts, store }: Judging,
  traceparent: string | undefined,
  signal: AbortSignal,
): Promise<Evaluation> {
  const steps = () => sessionSteps(store, simulation.session_id);
  try {
    return await withinTime(timeouts.evaluationMs, signal, (ending) =>
      evaluator.evaluate({ simulation, result, workdir, steps }, { signal: ending, traceparent }),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TimeUpError) {
      const message = `${evaluator.description}: ${error.message}`;
      throw new AttemptFailure("evaluator_timeout", message, { result });
    }
    // A failure of the storage says nothing about the simulation.
    if (error instanceof EvaluatorError && error.cause instanceof StoreUnavailableError)
      throw error.cause;
    if (error instanceof EvaluatorError) {
      const { last_output } = error;
      throw new AttemptFailure(error.code, error.message, { result, last_output });
    }
    const message = `${evaluator.description}: ${String(error)}`;
    throw new AttemptFailure("evaluator_failed", message, { result });
  }
}
