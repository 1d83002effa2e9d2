import type { SimulationResult, SimulationStartRequest } from "@proj/gateway-protocol";
import { StoreUnavailableError } from "@proj/session-store";
import type { EvaluatedSimulation, Evaluation } from "../evaluator/evaluator.ts";
import { EvaluatorError } from "../evaluator/evaluator-error.ts";
import type { Launch } from "../launch.ts";
import { sessionSteps } from "../trajectories/session-steps.ts";
import { AttemptFailure } from "./attempt-failure.ts";
import { TimeUpError, withinTime } from "./within-time.ts";

/**
 * Has the evaluator score the simulation.
 * @throws AttemptFailure; StoreUnavailableError; the signal's reason
 */
export async function judge(
  { llm_api_key: _, ...simulation }: SimulationStartRequest,
  result: SimulationResult,
  { evaluator, timeouts, store }: Pick<Launch, "evaluator" | "timeouts" | "store">,
  signal: AbortSignal,
): Promise<Evaluation> {
  const request = {
    simulation: simulation satisfies EvaluatedSimulation,
    result,
    steps: () => sessionSteps(store, simulation.session_id),
  };
  try {
    return await withinTime(timeouts.evaluationMs, signal, (ending) =>
      evaluator.evaluate(request, { signal: ending }),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TimeUpError) {
      const message = `${evaluator.description}: ${error.message}`;
      throw new AttemptFailure("evaluator_timeout", message, { result });
    }
    // That says nothing of the simulation.
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
