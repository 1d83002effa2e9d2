import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Statement } from "better-sqlite3";
import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import type { PointsDatabase, QueryResult, QueryRunner } from "../database.ts";
import type { PointsTables } from "../schema.ts";
import type { StoreDialect } from "../store-dialect.ts";
import { StoreUnavailableError } from "../store-errors.ts";
import { bindValues, type QueryValues, type StoredQuery } from "../stored-query.ts";
import { explainSqliteError, isBusy } from "./explain-sqlite-error.ts";

/** How long a write waits for another connection's. */
const lockTimeoutMs = 30_000;
const longestPauseMs = 25;
/** How long the lock is free between two transactions, or those who poll for it starve. */
const lockGapMs = 1;

/** Everything runs on the calling thread, and has its rows at once. */
export class SqliteDatabase implements PointsDatabase {
  readonly storage_type = "sqlite";
  readonly builder: Kysely<PointsTables> = createBuilder();
  readonly dialect: StoreDialect = {
    keepInKeyOrder: (table) => table.modifyEnd(sql`without rowid`),
  };
  readonly #file: string;
  readonly #database: Database;
  readonly #statements = new Map<string, Statement<unknown[], unknown>>();
  #previous: Promise<unknown> = Promise.resolve();
  #endedAt = 0;

  constructor(file: string, database: Database) {
    this.#file = file;
    this.#database = database;
  }

  async run<Row>(query: StoredQuery<Row>, values: QueryValues): Promise<QueryResult<Row>> {
    try {
      const statement = this.#prepare<Row>(query.sql);
      const bound = bindValues(query.parameters, values);
      if (statement.reader) return { rows: statement.all(...bound), changes: 0 };
      return { rows: [], changes: statement.run(...bound).changes };
    } catch (error) {
      throw this.#explain(error);
    }
  }

  transaction<Result>(work: (runner: QueryRunner) => Promise<Result>): Promise<Result> {
    const result = this.#previous.then(() => this.#transact(work));
    this.#previous = result.catch(() => {});
    return result;
  }

  async lockSchema(): Promise<void> {
    // BEGIN IMMEDIATE has done it.
  }

  async close(): Promise<void> {
    await this.#previous;
    this.#database.close();
  }

  async #transact<Result>(work: (runner: QueryRunner) => Promise<Result>): Promise<Result> {
    await this.#begin();
    try {
      const result = await work(this);
      this.#database.exec("commit");
      return result;
    } catch (error) {
      throw this.#explain(error);
    } finally {
      // Some errors have ended the transaction already.
      if (this.#database.inTransaction) this.#database.exec("rollback");
      this.#endedAt = performance.now();
    }
  }

  /** BEGIN IMMEDIATE, so that the lock is had first or not at all. */
  async #begin(): Promise<void> {
    const until = performance.now() + lockTimeoutMs;
    if (performance.now() - this.#endedAt < lockGapMs) await sleep(lockGapMs);
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        this.#database.exec("begin immediate");
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) {
          throw this.#explain(error);
        }
      }
      await sleep(pauseMs);
    }
  }

  #prepare<Row>(sql: string): Statement<unknown[], Row> {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known as Statement<unknown[], Row>;
    const statement = this.#database.prepare<unknown[], Row>(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #explain(error: unknown): unknown {
    if (!this.#database.open) return new StoreUnavailableError("the store is closed");
    return explainSqliteError(error, this.#file);
  }
}

function createBuilder(): Kysely<PointsTables> {
  return new Kysely<PointsTables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (introspected) => new SqliteIntrospector(introspected),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}
