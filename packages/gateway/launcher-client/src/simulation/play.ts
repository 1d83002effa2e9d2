import type { SimulationResult, SimulationStartRequest } from "@proj/gateway-protocol";
import type { JsonObject } from "@proj/model-apis/json";
import type { Launch } from "../launch.ts";
import type { RunOptions } from "../runtime/agent-runtime.ts";
import { RuntimeError } from "../runtime/runtime-error.ts";
import type { AttemptFolder } from "../workdir/attempt-folder.ts";
import { AttemptFailure } from "./attempt-failure.ts";
import { OutOfBudgetError } from "./stop-watch.ts";
import { cutOff } from "./truncation.ts";
import { TimeUpError, withinTime } from "./within-time.ts";

/**
 * Has the runtime play the simulation.
 * @param stop its signal ends an agent that goes on after its budget was spent
 * @throws AttemptFailure; the signal's reason
 */
export async function play(
  request: SimulationStartRequest,
  { runtime, timeouts }: Pick<Launch, "runtime" | "timeouts">,
  { folder, traceparent }: Pick<RunOptions, "traceparent"> & { readonly folder: AttemptFolder },
  stop: AbortSignal,
  signal: AbortSignal,
): Promise<SimulationResult> {
  let noted: JsonObject | null = null;
  const note = (metrics: JsonObject): void => {
    noted = metrics;
  };
  let hasBegun = runtime.isQueued !== true;
  try {
    const ended = AbortSignal.any([signal, stop]);
    const limitMs = hasBegun ? timeouts.simulationMs : timeouts.queueMs;
    return await withinTime(limitMs, ended, (ending, restart) => {
      const begun = (): void => {
        if (!hasBegun) restart(timeouts.simulationMs);
        hasBegun = true;
      };
      return runtime.run(request, { signal: ending, folder, traceparent, note, begun });
    });
  } catch (error) {
    signal.throwIfAborted();
    const result = noted === null ? null : unfinished(request, noted);
    if (error instanceof TimeUpError && !hasBegun) {
      const message = `${runtime.description}: ${error.message} in its queue`;
      throw new AttemptFailure("runtime_not_started", message, { result });
    }
    if (error instanceof TimeUpError || error instanceof OutOfBudgetError) {
      const message = `${runtime.description}: ${error.message}`;
      throw new AttemptFailure("runtime_timeout", message, { result });
    }
    if (error instanceof RuntimeError) {
      const { last_output } = error;
      const known = { last_output, result: error.result ?? result };
      throw new AttemptFailure(error.code, error.message, known);
    }
    const message = `${runtime.description}: ${String(error)}`;
    throw new AttemptFailure("runtime_failed", message, { result });
  }
}

/** What is known of a run that gave no result. */
const unfinished = (request: SimulationStartRequest, metrics: JsonObject): SimulationResult => ({
  ...cutOff(request, "agent"),
  ...{ status: "failed", truncated: false, truncated_by: null, metrics },
});
