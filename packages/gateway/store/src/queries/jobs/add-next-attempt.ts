import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import type { EnvironmentStatus } from "../../environment-row.ts";
import { createTimeOrderedId } from "../../time-ordered-id.ts";
import { copyFork } from "../forks/add-fork.ts";

export interface EndedAttempt {
  readonly session_id: string;
  /** The attempts that are counted. */
  readonly counted: "failed" | "infrastructure";
  /** Nothing is added once this many attempts of the simulation have that status. */
  readonly max_attempts: number;
  readonly now: string;
}

/** In the order of the query that supplies their values. */
const nextColumns = [
  "session_id",
  "job_id",
  "simulation_id",
  "attempt",
  "env_name",
  "env_params",
  "group_id",
  "status",
  "created_at",
] as const;

const insert = query(({ db }: StoreSource) =>
  db
    .insertInto("job_environments")
    .columns(nextColumns)
    .expression((from) =>
      from
        .selectFrom("job_environments as ended")
        .select(({ eb, lit, ref }) => [
          parameter<string>("next_session_id").as("session_id"),
          "ended.job_id",
          "ended.simulation_id",
          eb(ref("ended.attempt"), "+", lit(1)).as("attempt"),
          "ended.env_name",
          "ended.env_params",
          "ended.group_id",
          eb.val("pending").as("status"),
          parameter<string>("now").as("created_at"),
        ])
        .where("ended.session_id", "=", parameter<string>("session_id"))
        .where(
          (eb) =>
            eb
              .selectFrom("job_environments as other")
              .select(({ fn }) => fn.countAll<number>().as("attempts"))
              .whereRef("other.job_id", "=", "ended.job_id")
              .whereRef("other.simulation_id", "=", "ended.simulation_id")
              // True for all of them; it makes the database use the index by attempt, not read all failed rows.
              .whereRef("other.attempt", "<=", "ended.attempt")
              .where("other.status", "=", parameter<EnvironmentStatus>("counted")),
          "<",
          parameter<number>("max_attempts"),
        ),
    )
    .onConflict((conflict) => conflict.columns(["job_id", "simulation_id", "attempt"]).doNothing())
    .returning("session_id"),
);

/** Adds the next attempt of the same simulation after one that has ended. Returns whether it was missing. */
export async function addNextAttempt(
  runner: StoreRunner,
  { session_id, counted, max_attempts, now }: EndedAttempt,
): Promise<boolean> {
  const next_session_id = createTimeOrderedId();
  const values = { next_session_id, session_id, counted, max_attempts, now };
  const { rows } = await runner.run(insert, values);
  if (rows.length === 0) return false;
  await copyFork(runner, { session_id, next_session_id });
  return true;
}
