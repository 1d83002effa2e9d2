import type { SimulationResult, SimulationStartRequest } from "@proj/gateway-protocol";
import type { AttemptFolder } from "../workdir/attempt-folder.ts";

/** What plays a simulation: it calls the model at `llm_base_url` until it is done. */
export interface AgentRuntime {
  /** For messages to people: `command "python agent.py"`. */
  readonly description: string;
  /**
   * Runs one simulation to its end. An abort (its time is up, the launcher stops) ends whatever was
   * started, and then rejects with the signal's reason.
   * @throws RuntimeError it failed
   */
  run(request: SimulationStartRequest, options: RunOptions): Promise<SimulationResult>;
}

export interface RunOptions {
  readonly signal: AbortSignal;
  /** Of the attempt; it is there until the evaluator is done. @default one until the runtime is done */
  readonly folder?: AttemptFolder | undefined;
  /** The W3C trace context of the run: an agent that passes it on has its calls below it. @default none */
  readonly traceparent?: string | undefined;
}
