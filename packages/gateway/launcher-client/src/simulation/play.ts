import type { SimulationResult, SimulationStartRequest } from "@proj/gateway-protocol";
import type { Launch } from "../launch.ts";
import type { RunOptions } from "../runtime/agent-runtime.ts";
import { RuntimeError } from "../runtime/runtime-error.ts";
import type { AttemptFolder } from "../workdir/attempt-folder.ts";
import { AttemptFailure } from "./attempt-failure.ts";
import { TimeUpError, withinTime } from "./within-time.ts";

/**
 * Has the runtime play the simulation.
 * @throws AttemptFailure; the signal's reason
 */
export async function play(
  request: SimulationStartRequest,
  { runtime, timeouts }: Pick<Launch, "runtime" | "timeouts">,
  { folder, traceparent }: Pick<RunOptions, "traceparent"> & { readonly folder: AttemptFolder },
  signal: AbortSignal,
): Promise<SimulationResult> {
  try {
    return await withinTime(timeouts.simulationMs, signal, (ending) =>
      runtime.run(request, { signal: ending, folder, traceparent }),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TimeUpError) {
      throw new AttemptFailure("runtime_timeout", `${runtime.description}: ${error.message}`);
    }
    if (error instanceof RuntimeError) {
      throw new AttemptFailure(error.code, error.message, error);
    }
    throw new AttemptFailure("runtime_failed", `${runtime.description}: ${String(error)}`);
  }
}
