import type { Database } from "better-sqlite3";
import type { Compilable } from "kysely";
import { bindValues, type PreparedQuery, type QueryValues } from "../queries/prepared-query.ts";
import type { Transaction, TransactionQuery } from "../queries/transaction.ts";

export function prepareQuery<Row>(database: Database, query: Compilable<Row>): PreparedQuery<Row> {
  const run = prepareStatement(database, query);
  return async (values) => run(values);
}

/** For a transaction that `runAtOnce` runs. */
export function prepareTransactionQuery<Row>(
  database: Database,
  query: Compilable<Row>,
): TransactionQuery<Row> {
  const run = prepareStatement(database, query);
  return (values) => {
    const result = { done: true, value: run(values) } as const;
    return { [Symbol.iterator]: () => ({ next: () => result }) };
  };
}

export function runAtOnce<Result>(transaction: Transaction<Result>): Result {
  const { done, value } = transaction.next();
  if (done !== true) throw new Error("A query of SQLite has its rows at once.");
  return value;
}

/** Compiles the query now, and prepares its statement when it first runs, once for the connection. */
export function prepareStatement<Row>(
  database: Database,
  query: Compilable<Row>,
): (values: QueryValues) => readonly Row[] {
  const { sql, parameters } = query.compile();
  const prepare = () => database.prepare<unknown[], Row>(sql);
  let statement: ReturnType<typeof prepare> | null = null;
  return (values) => {
    statement ??= prepare();
    const bound = bindValues(parameters, values);
    if (statement.reader) return statement.all(...bound);
    statement.run(...bound);
    return [];
  };
}
