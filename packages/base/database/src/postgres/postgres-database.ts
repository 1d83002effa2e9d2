import { hash } from "node:crypto";
import { monotonicMs } from "../clock.ts";
import type { Database, QueryResult, QueryRunner } from "../queries/database.ts";
import { bindValues, type Query, type QueryValues, statement } from "../queries/query.ts";
import { Turns } from "../queries/turns.ts";
import type { ConnectionPool, RunNamed } from "./connection-pool.ts";
import { isWorthAnotherTry } from "./postgres-failure.ts";

export interface PostgresDatabaseOptions<Source> {
  readonly pool: ConnectionPool;
  /** The source that queries are compiled from. */
  readonly source: Source;
  /** The same number for all programs that know the schema, and only for them. */
  readonly schemaLock: number;
  /** How long `run` may take, in milliseconds. @default the pool's time for one statement */
  readonly readTimeoutMs?: number;
  /** How often to try a transaction that conflicts with another one (40001, 40P01). @default 1 */
  readonly attempts?: number;
  /** How long `close` waits for operations in progress, in milliseconds. @default 10000 */
  readonly closeTimeoutMs?: number | undefined;
}

interface Compiled {
  readonly name: string;
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** Long enough for many programs that start at once, and for a migration of many rows. */
const schemaTimeoutMs = 600_000;

const begin = statement("begin");
const commit = statement("commit");
const rollback = statement("rollback");

export class PostgresDatabase<Source> implements Database<Source> {
  readonly source: Source;
  readonly findStorageInfo: Query<unknown, unknown> = statement(
    "select 1 where to_regclass('storage_info') is not null",
  );
  readonly #options: PostgresDatabaseOptions<Source>;
  readonly #pool: ConnectionPool;
  readonly #compiled = new Map<Query<Source, unknown>, Compiled>();
  readonly #turns = new Turns();

  constructor(options: PostgresDatabaseOptions<Source>) {
    this.source = options.source;
    this.#options = options;
    this.#pool = options.pool;
  }

  /** Runs the query on any free connection. */
  run<Row>(query: Query<Source, Row>, values?: QueryValues): Promise<QueryResult<Row>> {
    const { readTimeoutMs } = this.#options;
    const deadline = readTimeoutMs === undefined ? undefined : monotonicMs() + readTimeoutMs;
    return this.use((runner) => runner.run(query, values), deadline);
  }

  /**
   * Calls back with a connection that the caller has to itself, without a transaction.
   * @param deadline by `monotonicMs`; the connection is cut after it. @default the time of one statement
   */
  use<Result>(
    work: (runner: QueryRunner<Source>) => Promise<Result>,
    deadline?: number,
  ): Promise<Result> {
    return this.#pool.use((run) => work(this.#runner(run)), deadline);
  }

  transaction<Result>(
    work: (runner: QueryRunner<Source>) => Promise<Result>,
    deadline: number = Number.POSITIVE_INFINITY,
  ): Promise<Result> {
    return this.#turns.take(() => this.#transact(work, deadline));
  }

  async lockSchema(runner: QueryRunner<Source>): Promise<void> {
    await runner.run(statement(`set local statement_timeout = ${schemaTimeoutMs}`));
    await runner.run(statement(`select pg_advisory_xact_lock(${this.#options.schemaLock})`));
  }

  close(): Promise<void> {
    return this.#pool.close(this.#options.closeTimeoutMs ?? 10_000);
  }

  async #transact<Result>(
    work: (runner: QueryRunner<Source>) => Promise<Result>,
    deadline: number,
  ): Promise<Result> {
    const { attempts = 1 } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.use((runner) => inTransaction(runner, () => work(runner)), deadline);
      } catch (error) {
        if (attempt === attempts || !isWorthAnotherTry(error)) throw error;
      }
    }
  }

  #runner(run: RunNamed): QueryRunner<Source> {
    return {
      run: (query, values = {}) => {
        const { name, text, parameters } = this.#compile(query);
        return run({ name, text, values: bindValues(parameters, values) });
      },
    };
  }

  #compile(query: Query<Source, unknown>): Compiled {
    const known = this.#compiled.get(query);
    if (known !== undefined) return known;
    const { sql, parameters } = query.compile(this.source);
    const name = hash("sha256", sql, "base64url").slice(0, 32);
    const compiled = { name, text: sql, parameters };
    this.#compiled.set(query, compiled);
    return compiled;
  }
}

/** Commits what `work` wrote on this connection, or nothing. */
export async function inTransaction<Result>(
  runner: QueryRunner<unknown>,
  work: () => Promise<Result>,
): Promise<Result> {
  await runner.run(begin);
  try {
    const result = await work();
    await runner.run(commit);
    return result;
  } catch (error) {
    // If the connection itself failed, this fails too.
    await runner.run(rollback).catch(() => {});
    throw error;
  }
}
