import type { Database } from "better-sqlite3";
import type { Compilable } from "kysely";
import { bindValues, type PreparedQuery } from "../queries/prepared-query.ts";

/** Compiles the query now, and prepares its statement when it first runs, once for the connection. */
export function prepareQuery<Row>(database: Database, query: Compilable<Row>): PreparedQuery<Row> {
  const { sql, parameters } = query.compile();
  const prepare = () => database.prepare<unknown[], Row>(sql);
  let statement: ReturnType<typeof prepare> | null = null;
  return async (values) => {
    statement ??= prepare();
    return statement.all(...bindValues(parameters, values));
  };
}
