import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreQueries, StoreSource } from "../../dialect.ts";
import { readTime } from "../read-time.ts";
import { addNextAttempt } from "./add-next-attempt.ts";

export interface FailedSimulations {
  readonly job_id: string;
  readonly max_attempts: number;
  readonly max_infrastructure_attempts: number;
  /** Only simulations with a larger id, in the order of their ids. */
  readonly after: string;
  /** How many to look at, at most. */
  readonly limit: number;
}

export interface Retried {
  readonly added: number;
  /** `after` for the next call; null: there are no more. */
  readonly next_after: string | null;
}

const findFailed = query(({ db }: StoreSource) =>
  db
    .selectFrom("job_environments as failed")
    .select(["failed.session_id", "failed.simulation_id", "failed.status"])
    .where("failed.job_id", "=", parameter<string>("job_id"))
    .where("failed.simulation_id", ">", parameter<string>("after"))
    .where("failed.status", "in", ["failed", "infrastructure"])
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
    .orderBy("failed.simulation_id")
    .limit(parameter<number>("limit")),
);

export function retryFailed(
  database: StoreQueries,
  { job_id, max_attempts, max_infrastructure_attempts, after, limit }: FailedSimulations,
): Promise<Retried> {
  return database.transaction(async (runner) => {
    const now = await readTime(runner);
    const { rows: failed } = await runner.run(findFailed, { job_id, after, limit });
    let added = 0;
    for (const { session_id, status } of failed) {
      const bound =
        status === "infrastructure"
          ? { counted: "infrastructure" as const, max_attempts: max_infrastructure_attempts }
          : { counted: "failed" as const, max_attempts };
      const isNew = await addNextAttempt(runner, { session_id, ...bound, now });
      if (isNew) added += 1;
    }
    const last = failed.length < limit ? undefined : failed.at(-1);
    return { added, next_after: last?.simulation_id ?? null };
  });
}
