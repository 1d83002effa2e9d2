import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreQueries, StoreSource } from "../../dialect.ts";
import type { EnvironmentStatus } from "../../environment-row.ts";
import { readTime } from "../read-time.ts";
import { addNextAttempt } from "./add-next-attempt.ts";

export interface FailedSimulations {
  readonly job_id: string;
  readonly max_attempts: number;
  readonly max_infrastructure_attempts: number;
  readonly after: RetryKey;
  /** How many to look at, at most. */
  readonly limit: number;
}

/** The place of an attempt in the index by status: a call then costs what it looks at. */
export interface RetryKey {
  readonly status: "failed" | "infrastructure";
  readonly created_at: string;
  readonly session_id: string;
}

export interface Retried {
  readonly added: number;
  /** `after` for the next call; null: there are no more. */
  readonly next_after: RetryKey | null;
}

/** `after` for the first attempts of a status. */
export const firstOf = (status: RetryKey["status"]): RetryKey => ({
  status,
  created_at: "",
  session_id: "",
});

const findFailed = query(({ db }: StoreSource) =>
  db
    .selectFrom("job_environments as failed")
    .select(["failed.session_id", "failed.created_at"])
    .where("failed.job_id", "=", parameter<string>("job_id"))
    .where("failed.status", "=", parameter<EnvironmentStatus>("status"))
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple("failed.created_at", "failed.session_id"),
        ">",
        tuple(parameter<string>("created_at"), parameter<string>("session_id")),
      ),
    )
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom("job_environments as later")
            .select("later.session_id")
            .whereRef("later.job_id", "=", "failed.job_id")
            .whereRef("later.simulation_id", "=", "failed.simulation_id")
            .whereRef("later.attempt", ">", "failed.attempt"),
        ),
      ),
    )
    .orderBy("failed.created_at")
    .orderBy("failed.session_id")
    .limit(parameter<number>("limit")),
);

export function retryFailed(
  database: StoreQueries,
  { job_id, max_attempts, max_infrastructure_attempts, after, limit }: FailedSimulations,
): Promise<Retried> {
  return database.transaction(async (runner) => {
    const now = await readTime(runner);
    const { rows: failed } = await runner.run(findFailed, { job_id, ...after, limit });
    const { status } = after;
    const bound = status === "failed" ? max_attempts : max_infrastructure_attempts;
    let added = 0;
    for (const { session_id } of failed) {
      const ended = { session_id, counted: status, max_attempts: bound, now };
      if (await addNextAttempt(runner, ended)) added += 1;
    }
    const last = failed.length < limit ? undefined : failed.at(-1);
    if (last !== undefined) return { added, next_after: { status, ...last } };
    return { added, next_after: status === "failed" ? firstOf("infrastructure") : null };
  });
}
