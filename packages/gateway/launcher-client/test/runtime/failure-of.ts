import type { SimulationStartRequest } from "@proj/gateway-protocol";
import { within } from "@proj/test-kit";
import { expect } from "vitest";
import type { AgentRuntime } from "../../src/runtime/agent-runtime.ts";
import { RuntimeError } from "../../src/runtime/runtime-error.ts";
import { startRequest } from "../start-request.ts";

/** The RuntimeError that a simulation ends with. */
export async function failureOf(
  runtime: AgentRuntime,
  request: SimulationStartRequest = startRequest,
): Promise<RuntimeError> {
  const { signal } = new AbortController();
  const failed = runtime.run(request, { signal }).then(
    (result) => new Error(`The runtime did not fail: ${JSON.stringify(result)}`),
    (error: unknown) => error,
  );
  const error = await within(failed, "the runtime to fail");
  if (!(error instanceof RuntimeError)) throw error;
  expect(error.cause).toBeUndefined();
  return error;
}
