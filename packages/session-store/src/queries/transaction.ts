import type { Compilable, Kysely } from "kysely";
import type { StoreDialect } from "../dialect.ts";
import type { StoreTables } from "../schema.ts";
import type { QueryValues } from "./prepared-query.ts";

/**
 * What is done in one transaction, written once for all databases. Each query is run by `yield*`: a
 * database in this process has its rows at once, and of one elsewhere the query is yielded, to be
 * gone on with its rows.
 */
export type Transaction<Result> = Generator<BoundQuery, Result, unknown>;

export interface BoundQuery {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** The values are those of the query's parameters, by their names. */
export type TransactionQuery<Row> = (
  values: QueryValues,
) => Iterable<BoundQuery, readonly Row[], unknown>;

/** What transactions are made from. */
export interface TransactionSource {
  readonly db: Kysely<StoreTables>;
  readonly dialect: StoreDialect;
  readonly prepare: <Row>(query: Compilable<Row>) => TransactionQuery<Row>;
}
