import type { Query, QueryValues } from "./query.ts";

export interface QueryRunner<Source> {
  /** @throws StoreUnavailableError */
  run<Row>(query: Query<Source, Row>, values?: QueryValues): Promise<QueryResult<Row>>;
}

export interface QueryResult<Row> {
  readonly rows: readonly Row[];
  /** How many rows were inserted, updated or deleted. Undefined for queries that return rows. */
  readonly changes: number;
}

/** What functions with queries take as their database. */
export interface Queries<Source> extends QueryRunner<Source> {
  /**
   * Commits what `work` wrote, or nothing. Transactions run one after the other, in the order of the calls.
   * @param deadline by `monotonicMs`; nothing is committed after it. @default none
   * @throws StoreUnavailableError and whatever `work` threw
   */
  transaction<Result>(
    work: (runner: QueryRunner<Source>) => Promise<Result>,
    deadline?: number,
  ): Promise<Result>;
}

/** An open database. SQLite and PostgreSQL each have a class for it. */
export interface Database<Source> extends Queries<Source> {
  /** The source that queries are compiled from. */
  readonly source: Source;
  /** Returns a row if the table `storage_info` exists. */
  readonly findStorageInfo: Query<unknown, unknown>;
  /** Keeps all other programs out until the end of the transaction, which changes the schema. */
  lockSchema(runner: QueryRunner<Source>): Promise<void>;
  /** Waits for operations in progress, then releases everything. */
  close(): Promise<void>;
}
