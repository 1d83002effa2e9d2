import type { Kysely } from "kysely";
import type { PointsTables } from "./schema.ts";
import type { StoreDialect } from "./store-dialect.ts";
import type { QueryValues, StoredQuery } from "./stored-query.ts";

/** One connection, or a pool of them, to the database of a store. One class for each database. */
export interface PointsDatabase extends QueryRunner {
  readonly storage_type: "sqlite" | "postgres";
  /** Writes the database's SQL, and runs none. */
  readonly builder: Kysely<PointsTables>;
  readonly dialect: StoreDialect;

  /**
   * Commits what `work` wrote, or nothing. One at a time on a connection.
   * @throws StoreUnavailableError and whatever `work` threw
   */
  transaction<Result>(work: (runner: QueryRunner) => Promise<Result>): Promise<Result>;

  /** Keeps every other program out while a transaction changes the schema. */
  lockSchema(runner: QueryRunner): Promise<void>;

  close(): Promise<void>;
}

export interface QueryRunner {
  /** @throws StoreUnavailableError */
  run<Row>(query: StoredQuery<Row>, values: QueryValues): Promise<QueryResult<Row>>;
}

export interface QueryResult<Row> {
  readonly rows: readonly Row[];
  /** How many rows were inserted, updated or deleted; nothing is said of queries that return rows. */
  readonly changes: number;
}
