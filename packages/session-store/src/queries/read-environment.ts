import type { EnvironmentRow } from "../store.ts";
import { parameter, type QuerySource } from "./prepared-query.ts";

/** All that an EnvironmentRow has. */
export const environmentColumns: readonly (keyof EnvironmentRow)[] = [
  "session_id",
  "job_id",
  "simulation_id",
  "attempt",
  "env_name",
  "env_params",
  "group_id",
  "status",
  "reward",
  "result",
  "error",
  "owner",
  "heartbeat_at",
  "created_at",
  "started_at",
  "finished_at",
];

export function environmentReader({
  db,
  prepare,
}: QuerySource): (session_id: string) => Promise<EnvironmentRow | null> {
  const find = prepare(
    db
      .selectFrom("job_environments")
      .select(environmentColumns)
      .where("session_id", "=", parameter<string>("session_id")),
  );
  return async (session_id) => (await find({ session_id }))[0] ?? null;
}
