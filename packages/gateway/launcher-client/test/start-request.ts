import type { SimulationStartRequest } from "@proj/gateway-protocol";

/** A key that must never appear in an agent's output. */
export const llm_api_key = "sess_Zm9yLXRlc3RzLW9ubHk";

export const startRequest: SimulationStartRequest = {
  session_id: "session-1",
  job_id: "job-1",
  simulation_id: "simulation-1",
  attempt: 1,
  env_name: "maze",
  env_params: { seed: 7 },
  group_id: null,
  llm_model: "small",
  gateway_base_url: "http://127.0.0.1:8000",
  llm_base_url: "http://127.0.0.1:8000/v1/sessions/session-1",
  llm_api_key,
};
