import type { SimulationStartRequest } from "@proj/gateway-protocol";
import type { EnvironmentRow } from "@proj/session-store";
import type { Launch } from "../launch.ts";
import { AttemptFailure } from "./attempt-failure.ts";

/**
 * The request that starts the agent runtime of one attempt. Waits for a gateway that is away.
 * @throws AttemptFailure it did not come back
 */
export async function startRequest(
  environment: EnvironmentRow,
  launch: Pick<Launch, "gateway" | "llm_model" | "llmApiKey" | "timeouts" | "watch">,
  signal: AbortSignal,
): Promise<SimulationStartRequest> {
  const { gateway, llm_model, llmApiKey, timeouts, watch } = launch;
  const { session_id, env_params } = environment;
  if (!(await watch.untilReady(timeouts.gatewayMs, signal))) {
    const message = `the gateway was not ready for ${timeouts.gatewayMs / 1000} s`;
    throw new AttemptFailure("gateway_unavailable", message);
  }
  const retry = { retries: Number.POSITIVE_INFINITY, totalMs: timeouts.closeMs };
  return {
    session_id,
    job_id: environment.job_id,
    simulation_id: environment.simulation_id,
    attempt: environment.attempt,
    env_name: environment.env_name,
    env_params: env_params === null ? null : JSON.parse(env_params),
    group_id: environment.group_id,
    llm_model,
    gateway_base_url: gateway.baseUrl,
    llm_base_url: await gateway.sessionBaseUrl(session_id, { signal, retry }),
    llm_api_key: llmApiKey(session_id),
  };
}
