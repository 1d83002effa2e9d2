import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../dialect.ts";
import type { EnvironmentRow } from "../environment-row.ts";

/** All columns of an EnvironmentRow. */
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

const find = query(({ db }: StoreSource) =>
  db
    .selectFrom("job_environments")
    .select(environmentColumns)
    .where("session_id", "=", parameter<string>("session_id")),
);

export async function readEnvironment(
  runner: StoreRunner,
  session_id: string,
): Promise<EnvironmentRow | null> {
  const { rows } = await runner.run(find, { session_id });
  return rows[0] ?? null;
}
