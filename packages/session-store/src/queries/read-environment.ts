import type { Kysely } from "kysely";
import type { StoreTables } from "../schema.ts";
import type { EnvironmentRow } from "../store.ts";

export async function readEnvironment(
  db: Kysely<StoreTables>,
  session_id: string,
): Promise<EnvironmentRow | null> {
  const row = await db
    .selectFrom("job_environments")
    .select(["session_id", "job_id", "simulation_id", "attempt", "env_name", "env_params"])
    .select(["group_id", "status", "reward", "result", "error", "owner", "heartbeat_at"])
    .select(["created_at", "started_at", "finished_at"])
    .where("session_id", "=", session_id)
    .executeTakeFirst();
  return row ?? null;
}
