import type { SimulationResult, SimulationStartRequest } from "@proj/gateway-protocol";
import { callFunction, describeFunction, type FunctionOptions } from "../answer/call-function.ts";
import type { AgentRuntime, RunOptions } from "./agent-runtime.ts";
import { askedRuntime } from "./asked-runtime.ts";

/** A result; only `status` is required. A member that is missing or null has its default. */
export type GivenResult = Pick<SimulationResult, "status"> & Partial<SimulationResult>;

export type SimulationFunction = (
  request: SimulationStartRequest,
  options: RunOptions,
) => GivenResult | Promise<GivenResult>;

/**
 * A runtime that is a function in the launcher's process. If it throws, the simulation has failed.
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
