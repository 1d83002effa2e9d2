import type { Compilable } from "kysely";
import { bindValues, type PreparedQuery } from "../queries/prepared-query.ts";
import type { BoundQuery, Transaction, TransactionQuery } from "../queries/transaction.ts";
import type { ConnectionPool, QueryRows } from "./connection-pool.ts";

/** A query of its own, on whichever connection is free. */
export function prepareRead<Row>(
  pool: ConnectionPool,
  query: Compilable<Row>,
  timeoutMs: number,
): PreparedQuery<Row> {
  const { sql, parameters } = query.compile();
  return (values) =>
    pool.use(
      (run) => run<Row>({ sql, values: bindValues(parameters, values) }),
      Date.now() + timeoutMs,
    );
}

/** For a transaction that `runQueries` runs. */
export function prepareTransactionQuery<Row>(query: Compilable<Row>): TransactionQuery<Row> {
  const { sql, parameters } = query.compile();
  return (values) => ({
    *[Symbol.iterator](): Generator<BoundQuery, readonly Row[], readonly Row[]> {
      return yield { sql, values: bindValues(parameters, values) };
    },
  });
}

/** Asks the database each query that is yielded, and goes on with its rows. */
export async function runQueries<Result>(
  query: QueryRows,
  work: Transaction<Result>,
): Promise<Result> {
  let step = work.next();
  while (step.done !== true) step = work.next(await query(step.value));
  return step.value;
}
