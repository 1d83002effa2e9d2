import type { Statement } from "better-sqlite3";
import { monotonicMs } from "../clock.ts";
import { StoreReplacedError, StoreUnavailableError } from "../errors.ts";
import type { Database, QueryResult, QueryRunner } from "../queries/database.ts";
import { bindValues, type Query, type QueryValues, statement } from "../queries/query.ts";
import { Turns } from "../queries/turns.ts";
import type { KnownDatabase, StopFlag } from "../threads/thread-messages.ts";
import { type Connection, readStorageId } from "./connection.ts";
import { isBusy, lockWaited } from "./lock-wait.ts";
import { explainSqliteError } from "./sqlite-failure.ts";
import { WriteTransaction } from "./write-transaction.ts";

export interface SqliteDatabaseOptions<Source> {
  readonly file: string;
  /** The source that queries are compiled from. */
  readonly source: Source;
  /** Opens the file. @param known the database that it must be; null: any */
  readonly connect: (known: KnownDatabase | null) => Connection;
  readonly stop: StopFlag;
  /** How long a transaction waits for another connection's transaction. */
  readonly busyTimeoutMs: number;
  /**
   * How old the last check of the file may be for a read, in milliseconds. `Infinity` leaves checking to `look`.
   * @default 0
   */
  readonly lookMs?: number;
  /** Whether to reopen a database that was replaced and is back in its place. @default false */
  readonly reopens?: boolean;
}

interface Prepared {
  readonly statement: Statement<unknown[], unknown>;
  readonly parameters: readonly unknown[];
}

/** Readers of a WAL hardly ever wait. */
const readWaitMs = 1_000;

/**
 * A connection that works on the calling thread. It runs one transaction at a time: calling `run` during a transaction
 * would be part of that transaction.
 */
export class SqliteDatabase<Source> implements Database<Source> {
  readonly source: Source;
  readonly findStorageInfo: Query<unknown, unknown> = statement(
    "select 1 from sqlite_schema where name = 'storage_info'",
  );
  readonly #options: SqliteDatabaseOptions<Source>;
  readonly #lookMs: number;
  readonly #prepared = new Map<Query<Source, unknown>, Prepared>();
  readonly #turns = new Turns();
  #connection: Connection;
  #transaction: WriteTransaction;
  #known: KnownDatabase | null = null;
  #lookedAt = monotonicMs();

  /** @throws StoreSchemaError StoreUnavailableError, and errors of SQLite */
  constructor(options: SqliteDatabaseOptions<Source>) {
    this.source = options.source;
    this.#options = options;
    this.#lookMs = options.lookMs ?? 0;
    this.#connection = options.connect(null);
    this.#transaction = this.#transactionOf(this.#connection);
  }

  async run<Row>(query: Query<Source, Row>, values: QueryValues = {}): Promise<QueryResult<Row>> {
    const isPart = this.#connection.database.inTransaction;
    try {
      if (!isPart && monotonicMs() - this.#lookedAt >= this.#lookMs) this.look();
      return this.#run(query, values);
    } catch (error) {
      if (isPart || !isBusy(error)) throw this.#explain(error);
    }
    try {
      const until = monotonicMs() + readWaitMs;
      return await lockWaited(() => this.#run(query, values), until, this.#options.stop);
    } catch (error) {
      throw this.#explain(error);
    }
  }

  transaction<Result>(
    work: (runner: QueryRunner<Source>) => Promise<Result>,
    deadline: number = Number.POSITIVE_INFINITY,
  ): Promise<Result> {
    return this.#turns.take(() => this.#transact(work, deadline));
  }

  async lockSchema(): Promise<void> {
    // BEGIN IMMEDIATE has locked it already.
  }

  async close(): Promise<void> {
    await this.#turns.ended();
    this.#connection.database.close();
  }

  /**
   * Checks that the open file is still the one with its name.
   * @throws StoreReplacedError
   */
  look(): void {
    this.#lookedAt = monotonicMs();
    try {
      this.#connection.identity.check();
      if (this.#options.reopens === true) this.#known ??= this.#readKnown();
    } catch (error) {
      if (!(error instanceof StoreReplacedError) || this.#known === null) throw error;
      // A connection to the new WAL and one to the old WAL would share one index.
      if (!this.#connection.identity.isDatabaseReplaced) throw error;
      const connection = this.#options.connect(this.#known);
      this.#prepared.clear();
      this.#connection.database.close();
      this.#connection = connection;
      this.#transaction = this.#transactionOf(connection);
    }
  }

  async #transact<Result>(
    work: (runner: QueryRunner<Source>) => Promise<Result>,
    deadline: number,
  ): Promise<Result> {
    try {
      if (this.#options.reopens === true && this.#connection.database.open) this.look();
      return await this.#transaction.runAsync(deadline, () => work(this));
    } catch (error) {
      throw this.#explain(error);
    }
  }

  #run<Row>(query: Query<Source, Row>, values: QueryValues): QueryResult<Row> {
    const { statement, parameters } = this.#prepare(query);
    const bound = bindValues(parameters, values);
    // The query defines the type of its rows.
    if (statement.reader) return { rows: statement.all(...bound) as Row[], changes: 0 };
    return { rows: [], changes: statement.run(...bound).changes };
  }

  #prepare(query: Query<Source, unknown>): Prepared {
    const known = this.#prepared.get(query);
    if (known !== undefined) return known;
    const { sql, parameters } = query.compile(this.source);
    const prepared = { statement: this.#connection.database.prepare(sql), parameters };
    this.#prepared.set(query, prepared);
    return prepared;
  }

  /** Null: the tables do not exist yet. */
  #readKnown(): KnownDatabase | null {
    const { database, identity } = this.#connection;
    const storage_id = readStorageId(database);
    return storage_id === undefined ? null : identity.known(storage_id);
  }

  #transactionOf(connection: Connection): WriteTransaction {
    return new WriteTransaction(connection, this.#options.busyTimeoutMs, this.#options.stop);
  }

  #explain(error: unknown): unknown {
    if (!this.#connection.database.open) return new StoreUnavailableError("the store is closed");
    return explainSqliteError(error, this.#options.file);
  }
}
