import type { JobStore } from "@proj/session-store";
import { type AgentRuntime, functionEvaluator, type GatewayClient } from "../../src/index.ts";
import { isWatched } from "./agent.ts";
import { type Parts, type Phase, tellingPhases } from "./phases.ts";

export interface HeldPartsOptions {
  readonly store: JobStore;
  readonly gateway: GatewayClient;
  readonly runtime: AgentRuntime;
  /** Where the watched attempt waits; null: it does not wait. */
  readonly hold: Phase | null;
}

/**
 * The parts of a launcher, with a watched attempt that waits in a phase.
 * @param wait is given the attempt's session
 */
export function heldParts(
  { hold, ...given }: HeldPartsOptions,
  wait: (session_id: string) => Promise<void>,
): Parts {
  // The stored reward then shows which attempt it belongs to.
  const evaluator = functionEvaluator(({ simulation }) => simulation.attempt);
  return tellingPhases({ ...given, evaluator }, async (phase, session_id) => {
    if (phase !== hold) return;
    const environment = await given.store.readEnvironment(session_id);
    if (environment !== null && isWatched(environment)) await wait(session_id);
  });
}
