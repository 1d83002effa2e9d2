import { publicDbUrl } from "@proj/gateway-protocol";
import { forkSimulations, replaySimulations } from "@proj/launcher-client";
import { exitCode, ProgramError, UsageError } from "@proj/program";
import type { JobStore, NewSimulation } from "@proj/session-store";
import { readSimulations } from "./read-simulations.ts";
import type { RunPlan } from "./run-plan.ts";

/** Finds the simulations to add; files are read before the storage is needed. */
export type FindSimulations = (
  store: JobStore,
  job_id: string,
) => Promise<readonly NewSimulation[]>;

/** @throws ProgramError, UsageError there are none, and why */
export async function simulationsOf({
  work,
  options,
  db_path,
}: Pick<RunPlan, "work" | "options" | "db_path">): Promise<FindSimulations> {
  const where = publicDbUrl(db_path);
  if (work === null)
    return async (store, job_id) => {
      if ((await store.readJob(job_id)) !== null) return [];
      throw new UsageError(
        `job '${job_id}' is not in ${where}: give a file of simulations to start it`,
      );
    };
  if ("simulations" in work) {
    const simulations = await readSimulations(work.simulations);
    return async () => simulations;
  }
  if ("fork" in work)
    return (store) => forked(store, { ...work.fork, llm_model: options["llm-model"] }, where);
  return (store) => replayed(store, work, where);
}

async function forked(
  store: JobStore,
  session: Parameters<typeof forkSimulations>[1],
  where: string,
): Promise<readonly NewSimulation[]> {
  try {
    return await forkSimulations(store, session);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ProgramError(`${error.message} in ${where}`, exitCode.usage);
  }
}

async function replayed(
  store: JobStore,
  { replay_from: job_id, ignore }: { replay_from: string; ignore: readonly string[] },
  where: string,
): Promise<readonly NewSimulation[]> {
  if ((await store.readJob(job_id)) === null)
    throw new UsageError(`job '${job_id}' is not in ${where}: there is nothing to replay`);
  const simulations = await replaySimulations(store, job_id, ignore);
  if (simulations.length > 0) return simulations;
  throw new ProgramError(
    `no attempt of job '${job_id}' has ended with steps that could be replayed`,
    exitCode.usage,
  );
}
