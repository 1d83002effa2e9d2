import pg from "pg";
import { monotonicMs } from "../clock.ts";
import { StoreUnavailableError } from "../errors.ts";
import type { QueryResult } from "../queries/database.ts";
import { isSoundAfter, storeError } from "./postgres-failure.ts";
import type { PostgresOptions } from "./postgres-options.ts";

/** A named statement is parsed and planned once per connection. */
export interface NamedQuery {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

/** Runs a query on one connection, which the caller has to itself. */
export type RunNamed = <Row>(query: NamedQuery) => Promise<QueryResult<Row>>;

/** Added to the server's own time-out, for a server that does not answer at all. */
const graceMs = 2_000;
const maxTimerMs = 2 ** 31 - 1;

/** Connections to one database. All errors that leave it are the store's errors. */
export class ConnectionPool {
  readonly #pool: pg.Pool;
  readonly #statementTimeoutMs: number;
  readonly #inUse = new Set<Promise<unknown>>();
  #isClosed = false;

  /** @param application the name that the server shows, unless `db_url` gives one */
  constructor(options: PostgresOptions, application: string) {
    const { db_url, pool_size = 10, connect_timeout_s = 5, statement_timeout_s = 30 } = options;
    this.#statementTimeoutMs = Math.ceil(1000 * statement_timeout_s);
    this.#pool = new pg.Pool({
      connectionString: db_url,
      max: pool_size,
      connectionTimeoutMillis: Math.ceil(1000 * connect_timeout_s),
      // Not as parameters of the connection's start: PgBouncer refuses unknown ones.
      onConnect: (client) => client.query(this.#timeouts()),
      fallback_application_name: application,
      keepAlive: true,
      types: { getTypeParser },
    });
    // An idle connection may die without harm: the next call takes another.
    this.#pool.on("error", () => {});
    // There is no other listener between two statements of one call either.
    this.#pool.on("connect", (client) => client.on("error", () => {}));
  }

  /**
   * Calls back with a connection that the caller has to itself.
   * @param deadline by `monotonicMs`; the connection is cut after it. `Infinity` gives each query the time of a statement
   * @throws StoreUnavailableError, and the database's refusals of content
   */
  use<Result>(
    work: (run: RunNamed) => Promise<Result>,
    deadline: number = monotonicMs() + this.#statementTimeoutMs + graceMs,
  ): Promise<Result> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailableError("the store is closed"));
    const used = this.#use(work, deadline);
    const settled = used.catch(() => {});
    this.#inUse.add(settled);
    void settled.then(() => this.#inUse.delete(settled));
    return used;
  }

  /** Waits for operations in progress, then cuts off those that have not ended. */
  async close(timeoutMs: number): Promise<void> {
    this.#isClosed = true;
    const { promise: timeIsUp, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeoutMs);
    await Promise.race([Promise.all(this.#inUse), timeIsUp]);
    clearTimeout(timer);
    if (!this.#pool.ending) void this.#pool.end().catch(() => {});
  }

  /** Makes sure that a transaction whose client has vanished does not lock rows forever. */
  #timeouts(): string {
    return `set statement_timeout = ${this.#statementTimeoutMs};
      set idle_in_transaction_session_timeout = ${this.#statementTimeoutMs}`;
  }

  async #use<Result>(work: (run: RunNamed) => Promise<Result>, deadline: number): Promise<Result> {
    const client = await this.#connect(deadline);
    let isReleased = false;
    const release = (isBroken: boolean): void => {
      if (!isReleased) client.release(isBroken);
      isReleased = true;
    };
    // Releasing the client as broken cuts its connection, which fails the query in progress.
    const timer = setTimeout(release, Math.min(deadline - monotonicMs(), maxTimerMs), true);
    const query_timeout = deadline === Infinity ? this.#statementTimeoutMs + graceMs : undefined;
    try {
      const result = await work((query) => runOn(client, query, query_timeout));
      release(false);
      return result;
    } catch (error) {
      if (isReleased) throw new StoreUnavailableError("the database did not answer in time");
      release(!isSoundAfter(error));
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #connect(deadline: number): Promise<pg.PoolClient> {
    if (monotonicMs() > deadline) {
      throw new StoreUnavailableError("the rows could not be stored before their deadline");
    }
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw storeError(error);
    }
  }
}

async function runOn<Row>(
  client: pg.PoolClient,
  query: NamedQuery,
  query_timeout: number | undefined,
): Promise<QueryResult<Row>> {
  try {
    const config = query_timeout === undefined ? query : { ...query, query_timeout };
    const { rows, rowCount } = await client.query<Row & pg.QueryResultRow>(config);
    return { rows, changes: rowCount ?? 0 };
  } catch (error) {
    throw storeError(error);
  }
}

/** Ids, counts and epochs, which never come near 2^53. */
const getTypeParser: pg.CustomTypesConfig["getTypeParser"] = (id, format) =>
  id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format);
