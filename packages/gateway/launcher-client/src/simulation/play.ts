import type { SimulationResult, SimulationStartRequest } from "@proj/gateway-protocol";
import type { Launch } from "../launch.ts";
import type { RunOptions } from "../runtime/agent-runtime.ts";
import { RuntimeError } from "../runtime/runtime-error.ts";
import type { AttemptFolder } from "../workdir/attempt-folder.ts";
import { AttemptFailure } from "./attempt-failure.ts";
import { OutOfBudgetError } from "./stop-watch.ts";
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
  try {
    const ended = AbortSignal.any([signal, stop]);
    return await withinTime(timeouts.simulationMs, ended, (ending) =>
      runtime.run(request, { signal: ending, folder, traceparent }),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TimeUpError || error instanceof OutOfBudgetError) {
      throw new AttemptFailure("runtime_timeout", `${runtime.description}: ${error.message}`);
    }
    if (error instanceof RuntimeError) {
      throw new AttemptFailure(error.code, error.message, error);
    }
    throw new AttemptFailure("runtime_failed", `${runtime.description}: ${String(error)}`);
  }
}
