import type { SimulationResult, SimulationStartRequest } from "@proj/gateway-protocol";
import type { StoredStep } from "@proj/session-store";

/** Judges a simulation that has ended. */
export interface Evaluator {
  /** For messages to people: `endpoint http://127.0.0.1:9100/score`. */
  readonly description: string;
  /**
   * An abort (its time is up, the launcher stops) ends everything it started, and then rejects with the signal's
   * reason.
   * @throws EvaluatorError it failed
   */
  evaluate(request: EvaluationRequest, options: EvaluateOptions): Promise<Evaluation>;
}

export interface EvaluateOptions {
  readonly signal: AbortSignal;
  /**
   * The W3C trace context of the evaluation; if the judge passes it on, its calls appear below it.
   * @default none
   */
  readonly traceparent?: string | undefined;
}

export interface EvaluationRequest {
  /** What the runtime was started with, without the key to the model. */
  readonly simulation: EvaluatedSimulation;
  readonly result: SimulationResult;
  /** The folder that the agent worked in and filled; null: it had none, or it is gone. */
  readonly workdir: string | null;
  /** The session's steps of all models, in order; read from storage on demand. */
  steps(): AsyncIterable<StoredStep>;
}

/** Null marks what is unknown when a session is scored again later. */
export type EvaluatedSimulation = Omit<
  SimulationStartRequest,
  "llm_api_key" | "gateway_base_url" | "llm_base_url"
> & { readonly gateway_base_url: string | null; readonly llm_base_url: string | null };

export interface Evaluation {
  /** Finite. Becomes `reward` and `step_reward` of the session's last successful step. */
  readonly score: number;
  /** Stored in that step's `meta_json.eval` beside the score. JSON. */
  readonly details: Readonly<Record<string, unknown>>;
}
