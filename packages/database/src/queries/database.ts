import type { Query, QueryValues } from "./query.ts";

export interface QueryRunner<Source> {
  /** @throws StoreUnavailableError */
  run<Row>(query: Query<Source, Row>, values?: QueryValues): Promise<QueryResult<Row>>;
}

export interface QueryResult<Row> {
  readonly rows: readonly Row[];
  /** How many rows were inserted, updated or deleted. Queries that return rows do not say. */
  readonly changes: number;
}

/** What queries are written over. */
export interface Queries<Source> extends QueryRunner<Source> {
  /**
   * Commits what `work` wrote, or nothing. One after the other, in the order in which they were asked for.
   * @param deadline by `monotonicMs`; past it nothing is committed. @default none
   * @throws StoreUnavailableError and whatever `work` threw
   */
  transaction<Result>(
    work: (runner: QueryRunner<Source>) => Promise<Result>,
    deadline?: number,
  ): Promise<Result>;
}

/** An open database. SQLite and PostgreSQL have one class each. */
export interface Database<Source> extends Queries<Source> {
  /** What queries are compiled from. */
  readonly source: Source;
  /** Answers a row if the table `storage_info` exists. */
  readonly findStorageInfo: Query<unknown, unknown>;
  /** Keeps every other program out until the transaction ends, in which the schema is changed. */
  lockSchema(runner: QueryRunner<Source>): Promise<void>;
  /** Waits for what was begun, then lets go of everything. */
  close(): Promise<void>;
}
