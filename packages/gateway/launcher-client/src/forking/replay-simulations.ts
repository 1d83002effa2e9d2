/**
 * A job's simulations once more, each answered from the record of its last attempt that ended and asked a model.
 * Simulations without such an attempt are left out.
 * @param ignore members of a request that may differ from the record, such as `metadata.user_id`
 */
export async function replaySimulations(
  store: Pick<JobStore, "readEnvironments" | "readSteps">,
  job_id: string,
  ignore: readonly string[] = [],
): Promise<readonly NewSimulation[]> {
  const recorded = new Map<string, EnvironmentRow>();
  for await (const environment of jobEnvironments(store, job_id)) {
    const { session_id, simulation_id, status } = environment;
    const hasEnded = status === "finished" || status === "failed" || status === "infrastructure";
    // Attempts come in order, so the last one remains.
    if (hasEnded && (await hasSteps(store, session_id))) recorded.set(simulation_id, environment);
  }
  return [...recorded.values()].map(
    ({ session_id, simulation_id, env_name, env_params, group_id }) => ({
      ...{ simulation_id, env_name, env_params, group_id },
      fork: { from_session_id: session_id, model: null, step: null, mode: "replay", ignore },
    }),
  );
}

const hasSteps = async (store: Pick<JobStore, "readSteps">, session_id: string): Promise<boolean> =>
  (await store.readSteps({ session_id, limit: 1 })).steps.length > 0;

import {
  type EnvironmentRow,
  type JobStore,
  jobEnvironments,
  type NewSimulation,
} from "@proj/session-store";
