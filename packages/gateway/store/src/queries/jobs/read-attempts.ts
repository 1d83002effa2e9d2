import { query } from "@proj/database";
import { sql } from "@proj/database/kysely";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import type { AttemptPage, AttemptQuery } from "../../job-pages.ts";
import { attemptsAfter } from "./read-environments.ts";

/** About 4 MB, and most jobs at once. */
const maxAttempts = 10_000;
/** An agent's own message may be a page of it. */
const maxError = 500;

const readPage = query((source: StoreSource) =>
  attemptsAfter(source)
    .select(["session_id", "job_id", "simulation_id", "attempt", "env_name", "group_id"])
    .select(["status", "reward", "created_at", "started_at", "finished_at"])
    .select(sql<string | null>`substr(error, 1, ${sql.lit(maxError)})`.as("error"))
    .limit(parameter<number>("limit")),
);

/** A page of a job's attempts without what may be large, so that one read has thousands. */
export async function readAttempts(
  runner: StoreRunner,
  { job_id, after, limit = 100 }: AttemptQuery,
): Promise<AttemptPage> {
  const from = { simulation_id: after?.simulation_id ?? "", attempt: after?.attempt ?? 0 };
  const most = Math.min(Math.max(limit, 1), maxAttempts);
  const { rows } = await runner.run(readPage, { job_id, ...from, limit: most + 1 });
  const attempts = rows.slice(0, most);
  const last = attempts.at(-1);
  if (last === undefined || rows.length <= most) return { attempts, next_after: null };
  return { attempts, next_after: { simulation_id: last.simulation_id, attempt: last.attempt } };
}
