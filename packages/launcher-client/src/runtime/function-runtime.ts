import type { SimulationResult, SimulationStartRequest } from "@proj/gateway-protocol";
import { callFunction, describeFunction, type FunctionOptions } from "../answer/call-function.ts";
import type { AgentRuntime, RunOptions } from "./agent-runtime.ts";
import { askedRuntime } from "./asked-runtime.ts";

/** A result of which only `status` is needed; what is left out or null has its default. */
export type GivenResult = Pick<SimulationResult, "status"> & Partial<SimulationResult>;

export type SimulationFunction = (
  request: SimulationStartRequest,
  options: RunOptions,
) => GivenResult | Promise<GivenResult>;

/**
 * A runtime that is a function in the launcher's own process. What it throws makes the simulation a
 * failed one.
 */
export function functionRuntime(
  play: SimulationFunction,
  options: FunctionOptions = {},
): AgentRuntime {
  return askedRuntime(
    describeFunction(play, options),
    ({ request, folder, traceparent, signal, mask }) =>
      callFunction(() => play(request, { signal, folder, traceparent }), options, { mask, signal }),
  );
}
