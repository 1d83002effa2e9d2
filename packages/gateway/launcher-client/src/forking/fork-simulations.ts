import type { JobStore, NewSimulation } from "@proj/session-store";

export interface ForkedSession {
  readonly session_id: string;
  /** The last step, of that model, to answer from the session's record. */
  readonly step: number;
  readonly llm_model: string;
  /** How many simulations continue from there. */
  readonly times: number;
  /** Members of a request that may differ from the record, such as `metadata.user_id`. @default none */
  readonly ignore?: readonly string[];
}

/**
 * Simulations that continue from the state of a session after one of its steps. They have the task of the session's
 * own simulation and form one group.
 * @throws RangeError the session has no such step
 */
export async function forkSimulations(
  store: Pick<JobStore, "hasStep" | "readEnvironment">,
  { session_id, step, llm_model, times, ignore = [] }: ForkedSession,
): Promise<readonly NewSimulation[]> {
  if (!(await store.hasStep({ session_id, model: llm_model, step_id: step })))
    throw new RangeError(`session '${session_id}' has no step ${step} of the model '${llm_model}'`);
  const source = await store.readEnvironment(session_id);
  const group_id = `${session_id}@${step}`;
  return Array.from({ length: times }, (_, index) => ({
    simulation_id: `${group_id}.${index + 1}`,
    env_name: source?.env_name ?? null,
    env_params: source?.env_params ?? null,
    group_id,
    fork: { from_session_id: session_id, model: llm_model, step, mode: "fork", ignore },
  }));
}
