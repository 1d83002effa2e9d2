import type { Transaction } from "../queries/transaction.ts";
import type { ConnectionPool, QueryRows } from "./connection-pool.ts";
import { isWorthAnotherTry } from "./postgres-failure.ts";
import { runQueries } from "./prepare-query.ts";

const attempts = 5;

/**
 * Commits what a transaction wrote, or nothing. Where it got into another one's way it begins anew.
 * @param work is told the database's own time, which is the same for all who use it
 */
export async function runTransaction<Result>(
  pool: ConnectionPool,
  work: (now: string) => Transaction<Result>,
  deadline: number,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await pool.use((query) => commit(query, work), deadline);
    } catch (error) {
      if (attempt === attempts || !isWorthAnotherTry(error)) throw error;
    }
  }
}

const readTime = `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`;

function commit<Result>(
  query: QueryRows,
  work: (now: string) => Transaction<Result>,
): Promise<Result> {
  return inTransaction(query, async () => {
    const [time] = await query<{ readonly now: string }>({ sql: readTime, values: [] });
    return runQueries(query, work(time?.now ?? ""));
  });
}

/** Commits what `work` wrote on this connection, or nothing. */
export async function inTransaction<Result>(
  query: QueryRows,
  work: () => Promise<Result>,
): Promise<Result> {
  await query({ sql: "begin", values: [] });
  try {
    const result = await work();
    await query({ sql: "commit", values: [] });
    return result;
  } catch (error) {
    // Where the connection is what failed, this fails too.
    await query({ sql: "rollback", values: [] }).catch(() => {});
    throw error;
  }
}
