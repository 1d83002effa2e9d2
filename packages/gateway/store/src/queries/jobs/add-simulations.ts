import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreQueries, StoreSource } from "../../dialect.ts";
import type { NewSimulation } from "../../job-store.ts";
import { createTimeOrderedId } from "../../time-ordered-id.ts";
import { addFork } from "../forks/add-fork.ts";

export interface SimulationBatch {
  readonly job_id: string;
  /** The same for all batches of a job; within it, session ids keep the order. */
  readonly created_at: string;
  readonly simulations: readonly NewSimulation[];
}

const insert = query(({ db }: StoreSource) =>
  db
    .insertInto("job_environments")
    .values({
      session_id: parameter<string>("session_id"),
      job_id: parameter<string>("job_id"),
      simulation_id: parameter<string>("simulation_id"),
      attempt: 1,
      env_name: parameter<string | null>("env_name"),
      env_params: parameter<string | null>("env_params"),
      group_id: parameter<string | null>("group_id"),
      status: "pending",
      created_at: parameter<string>("created_at"),
    })
    .onConflict((conflict) => conflict.columns(["job_id", "simulation_id", "attempt"]).doNothing())
    .returning("session_id"),
);

/** Returns how many were added; those that the job already has are left alone. */
export function addSimulations(
  database: StoreQueries,
  { job_id, created_at, simulations }: SimulationBatch,
): Promise<number> {
  return database.transaction(async (runner) => {
    let added = 0;
    for (const { simulation_id, env_name, env_params, group_id, fork } of simulations) {
      const ids = { session_id: createTimeOrderedId(), job_id, simulation_id };
      const values = { ...ids, env_name, env_params, group_id, created_at };
      const { rows } = await runner.run(insert, values);
      added += rows.length;
      if (fork != null && rows.length > 0) await addFork(runner, ids.session_id, fork);
    }
    return added;
  });
}
