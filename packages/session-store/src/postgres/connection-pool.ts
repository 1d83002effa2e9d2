import { hash } from "node:crypto";
import pg from "pg";
import type { BoundQuery } from "../queries/transaction.ts";
import { StoreUnavailableError } from "../store-errors.ts";
import { isSoundAfter, storeError } from "./postgres-failure.ts";
import type { PostgresOptions } from "./postgres-options.ts";

export type QueryRows = <Row>(query: BoundQuery) => Promise<readonly Row[]>;

/** Beyond the server's own time-out: for a server that does not answer at all. */
const graceMs = 2_000;

/** Connections to one database. All errors that leave it are the store's. */
export class ConnectionPool {
  readonly #pool: pg.Pool;
  readonly #statementTimeoutMs: number;
  readonly #inUse = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(options: PostgresOptions) {
    const { db_url, pool_size = 10, connect_timeout_s = 5, statement_timeout_s = 30 } = options;
    this.#statementTimeoutMs = Math.ceil(1000 * statement_timeout_s);
    this.#pool = new pg.Pool({
      connectionString: db_url,
      max: pool_size,
      connectionTimeoutMillis: Math.ceil(1000 * connect_timeout_s),
      statement_timeout: this.#statementTimeoutMs,
      // A transaction whose client is gone without a word keeps no row locked for ever.
      idle_in_transaction_session_timeout: this.#statementTimeoutMs,
      fallback_application_name: "session-store",
      keepAlive: true,
      types: { getTypeParser },
    });
    // A connection that dies while nobody uses it: the next call takes another.
    this.#pool.on("error", () => {});
    // Between two statements of one call nobody listens either.
    this.#pool.on("connect", (client) => client.on("error", () => {}));
  }

  /**
   * Calls back with a connection of its own.
   * @param deadline milliseconds since the epoch; past it the connection is cut
   * @throws StoreUnavailableError, and what the database refused for its content
   */
  use<Result>(
    work: (query: QueryRows) => Promise<Result>,
    deadline: number = Date.now() + this.#statementTimeoutMs + graceMs,
  ): Promise<Result> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailableError("the store is closed"));
    const used = this.#use(work, deadline);
    const settled = used.catch(() => {});
    this.#inUse.add(settled);
    void settled.then(() => this.#inUse.delete(settled));
    return used;
  }

  /** Waits for what was begun, and cuts off what has not ended by then. */
  async close(timeoutMs: number): Promise<void> {
    this.#isClosed = true;
    const { promise: timeIsUp, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeoutMs);
    await Promise.race([Promise.all(this.#inUse), timeIsUp]);
    clearTimeout(timer);
    if (!this.#pool.ending) void this.#pool.end().catch(() => {});
  }

  async #use<Result>(
    work: (query: QueryRows) => Promise<Result>,
    deadline: number,
  ): Promise<Result> {
    const client = await this.#connect(deadline);
    let isReleased = false;
    const release = (isBroken: boolean): void => {
      if (!isReleased) client.release(isBroken);
      isReleased = true;
    };
    // Releasing it as broken cuts it, which fails the query that is under way.
    const timer = setTimeout(release, deadline - Date.now(), true);
    try {
      const result = await work((query) => run(client, query));
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
    if (Date.now() > deadline) {
      throw new StoreUnavailableError("the rows could not be stored before their deadline");
    }
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw storeError(error);
    }
  }
}

async function run<Row>(client: pg.PoolClient, query: BoundQuery): Promise<readonly Row[]> {
  try {
    return (await client.query(named(query))).rows;
  } catch (error) {
    throw storeError(error);
  }
}

const names = new Map<string, string>();

/** A statement that has a name is parsed and planned once for its connection. */
function named({ sql, values }: BoundQuery): pg.QueryConfig {
  let name = names.get(sql);
  if (name === undefined) {
    name = hash("sha256", sql, "base64url").slice(0, 32);
    names.set(sql, name);
  }
  return { name, text: sql, values: [...values] };
}

/** Ids, counts and epochs: none comes near 2^53. */
const getTypeParser: pg.CustomTypesConfig["getTypeParser"] = (id, format) =>
  id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format);
