import type { SimulationStartRequest } from "@proj/gateway-protocol";
import type { Evaluator } from "../evaluator/evaluator.ts";
import { cutOff } from "../simulation/truncation.ts";
import type { AttemptFolder } from "../workdir/attempt-folder.ts";

const askMs = 60_000;

/**
 * Asks the evaluator about a tool call: with a result whose status is `permission` and whose `metrics.permission` is the
 * call. A score above 0 allows it; a failure does not.
 */
export function askEvaluator(
  evaluator: Evaluator | null,
  { llm_api_key: _, ...simulation }: SimulationStartRequest,
  { work: workdir }: AttemptFolder,
  signal: AbortSignal,
): ((permission: object) => Promise<boolean>) | null {
  if (evaluator === null) return null;
  return async (permission) => {
    const result = {
      ...cutOff(simulation, "agent"),
      status: "permission",
      truncated: false,
      truncated_by: null,
      metrics: { permission },
    };
    const steps = async function* () {};
    const ending = AbortSignal.any([signal, AbortSignal.timeout(askMs)]);
    const answer = await evaluator
      .evaluate({ simulation, result, workdir, steps }, { signal: ending })
      .catch(() => null);
    return (answer?.score ?? 0) > 0;
  };
}
