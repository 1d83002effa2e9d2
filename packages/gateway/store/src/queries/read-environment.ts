import { query } from "@proj/database";
import { sql } from "@proj/database/kysely";
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

const findLatest = query(({ db }: StoreSource) =>
  db
    .selectFrom("job_environments")
    .select(environmentColumns)
    .where("simulation_id", "=", parameter<string>("simulation_id"))
    .orderBy("created_at", "desc")
    .orderBy("attempt", "desc")
    .limit(1),
);

/** Several jobs may have a simulation of that name. */
export async function readLatestAttempt(
  runner: StoreRunner,
  simulation_id: string,
): Promise<EnvironmentRow | null> {
  const { rows } = await runner.run(findLatest, { simulation_id });
  return rows[0] ?? null;
}

const findSome = query(({ db, dialect }: StoreSource) =>
  db
    .selectFrom("job_environments")
    .select(environmentColumns)
    .where("session_id", "in", dialect.stringsOf(sql`${parameter<string>("session_ids")}`)),
);

/** Those that exist, in any order. */
export async function findEnvironments(
  runner: StoreRunner,
  session_ids: readonly string[],
): Promise<readonly EnvironmentRow[]> {
  const { rows } = await runner.run(findSome, { session_ids: JSON.stringify(session_ids) });
  return rows;
}
