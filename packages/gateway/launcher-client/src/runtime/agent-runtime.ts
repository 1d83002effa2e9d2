import type { SimulationResult, SimulationStartRequest } from "@proj/gateway-protocol";
import type { JsonObject } from "@proj/model-apis/json";
import type { AttemptFolder } from "../workdir/attempt-folder.ts";

/** Plays a simulation: it calls the model at `llm_base_url` until it is done. */
export interface AgentRuntime {
  /** For messages to people: `command "python agent.py"`. */
  readonly description: string;
  /** Whether it asks no model: then its reward needs no step. @default false */
  readonly isModelFree?: boolean;
  /** Whether its agents may wait for their turn before they begin. @default false */
  readonly isQueued?: boolean;
  /**
   * Runs one simulation to its end. An abort (its time is up, the launcher stops) ends everything it started, and then
   * rejects with the signal's reason.
   * @throws RuntimeError it failed
   */
  run(request: SimulationStartRequest, options: RunOptions): Promise<SimulationResult>;
  /**
   * Ends what is left of an attempt on other machines, whichever launcher began it.
   * @default nothing can be left
   * @throws Error it could not be ended
   */
  abandon?(session_id: string): Promise<void>;
}

export interface RunOptions {
  readonly signal: AbortSignal;
  /**
   * The attempt's folder, which exists until the evaluator is done.
   * @default a folder that exists until the runtime is done
   */
  readonly folder?: AttemptFolder | undefined;
  /** The W3C trace context of the run; if the agent passes it on, its calls appear below it. @default none */
  readonly traceparent?: string | undefined;
  /** A queued runtime calls it when the agent begins: the time before that is not the agent's. */
  readonly begun?: (() => void) | undefined;
  /**
   * Takes the `metrics` of the result as they grow, so that what was seen of an agent is stored however its run ends.
   * @default nothing is kept of a run without a result
   */
  readonly note?: ((metrics: JsonObject) => void) | undefined;
}
