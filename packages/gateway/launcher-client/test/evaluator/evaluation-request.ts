import type { SimulationResult } from "@proj/gateway-protocol";
import type { StoredStep } from "@proj/session-store";
import type { EvaluationRequest } from "../../src/evaluator/evaluator.ts";
import { startRequest } from "../start-request.ts";

const { llm_api_key: _, ...simulation } = startRequest;

export const result: SimulationResult = {
  session_id: "session-1",
  status: "completed",
  total_reward: 0.25,
  step_count: 2,
  terminated: true,
  truncated: false,
  truncated_by: null,
  error_text: null,
  metrics: { turns: 2 },
};

export const step: StoredStep = {
  id: 1,
  request_id: "request-1",
  session_id: "session-1",
  model: "small",
  step_id: 1,
  status_code: 200,
  env_name: "maze",
  job_id: "job-1",
  group_id: null,
  step_reward: null,
  reward: null,
  is_trainable: false,
  is_terminal: false,
  is_truncated: false,
  is_session_completed: false,
  created_at: "2026-01-01T00:00:00.000Z",
  meta_json: '{"status_code":200}',
  request: '{ "model": "small", "seed": 12345678901234567890 }',
  response: '{"choices":[{"message":{"content":"ü \\u0000 </s>"}}]}',
  messages: '[\n{"role":"user","content":"hello"}\n]',
};

/** @param steps called for each reading */
export function evaluationRequest(
  steps: () => Iterable<StoredStep> | AsyncIterable<StoredStep> = () => [step],
): EvaluationRequest {
  return {
    simulation,
    result,
    workdir: null,
    steps: async function* () {
      yield* steps();
    },
  };
}
