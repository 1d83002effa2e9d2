import type { EnvironmentRow } from "../store.ts";
import { parameter, type QuerySource } from "./prepared-query.ts";

export function environmentReader({
  db,
  prepare,
}: QuerySource): (session_id: string) => Promise<EnvironmentRow | null> {
  const find = prepare(
    db
      .selectFrom("job_environments")
      .select(["session_id", "job_id", "simulation_id", "attempt", "env_name", "env_params"])
      .select(["group_id", "status", "reward", "result", "error", "owner", "heartbeat_at"])
      .select(["created_at", "started_at", "finished_at"])
      .where("session_id", "=", parameter<string>("session_id")),
  );
  return async (session_id) => (await find({ session_id }))[0] ?? null;
}
