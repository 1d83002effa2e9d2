import { createHash } from "node:crypto";
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import pg from "pg";
import type { PointsDatabase, QueryResult, QueryRunner } from "../database.ts";
import type { PointsTables } from "../schema.ts";
import type { StoreDialect } from "../store-dialect.ts";
import { StoreUnavailableError } from "../store-errors.ts";
import { bindValues, type QueryValues, type StoredQuery } from "../stored-query.ts";

const connectTimeoutMs = 10_000;
/** Of one statement. What takes long is done in many. */
const statementTimeoutMs = 60_000;
/** Any number; all programs of this schema take the same. */
const schemaLock = 5_201_994;

export class PostgresDatabase implements PointsDatabase {
  readonly storage_type = "postgres";
  readonly builder: Kysely<PointsTables> = createBuilder();
  readonly dialect: StoreDialect = { keepInKeyOrder: (table) => table };
  readonly #pool: pg.Pool;
  readonly #names = new Map<string, string>();

  /** Connects when it is first asked for something. */
  constructor(db_url: string, poolSize: number) {
    this.#pool = new pg.Pool({
      connectionString: db_url,
      max: poolSize,
      connectionTimeoutMillis: connectTimeoutMs,
      statement_timeout: statementTimeoutMs,
      // A server that does not answer at all, not even that its time is up.
      query_timeout: statementTimeoutMs + 5_000,
      types: { getTypeParser },
    });
    // A connection that dies while nobody uses it; the next query takes another.
    this.#pool.on("error", () => {});
  }

  async run<Row>(query: StoredQuery<Row>, values: QueryValues): Promise<QueryResult<Row>> {
    return this.#withClient((client) => this.#runner(client).run(query, values));
  }

  async transaction<Result>(work: (runner: QueryRunner) => Promise<Result>): Promise<Result> {
    return this.#withClient(async (client) => {
      await explained(client.query("begin"));
      try {
        const result = await work(this.#runner(client));
        await explained(client.query("commit"));
        return result;
      } catch (error) {
        await client.query("rollback").catch(() => {});
        throw error;
      }
    });
  }

  async lockSchema(runner: QueryRunner): Promise<void> {
    await runner.run({ sql: `select pg_advisory_xact_lock(${schemaLock})`, parameters: [] }, []);
  }

  async close(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
  }

  /** A connection that failed is not used again. */
  async #withClient<Result>(use: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    if (this.#pool.ending) throw new StoreUnavailableError("the store is closed");
    const client = await explained(this.#pool.connect());
    let failure: boolean = false;
    try {
      return await use(client);
    } catch (error) {
      failure = error instanceof StoreUnavailableError;
      throw error;
    } finally {
      client.release(failure);
    }
  }

  #runner(client: pg.PoolClient): QueryRunner {
    return {
      run: async <Row>({ sql, parameters }: StoredQuery<Row>, values: QueryValues) => {
        const bound = bindValues(parameters, values);
        const query = { name: this.#name(sql), text: sql, values: bound };
        const { rows, rowCount } = await explained(client.query<Row & pg.QueryResultRow>(query));
        return { rows, changes: rowCount ?? 0 };
      },
    };
  }

  /** A statement with a name is parsed and planned once for the connection. */
  #name(sql: string): string {
    const known = this.#names.get(sql);
    if (known !== undefined) return known;
    const name = createHash("sha256").update(sql).digest("base64url").slice(0, 32);
    this.#names.set(sql, name);
    return name;
  }
}

/** An answer of the server, or its error in words. */
async function explained<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    // Where a host has several addresses, only the code says why none could be reached.
    const { message, code } = error as Error & { readonly code?: string };
    const text = [message, code && `(${code})`].filter(Boolean).join(" ");
    throw new StoreUnavailableError(`The database failed: ${text}`, { cause: error });
  }
}

/** Times, counts and numbers of rows: none comes near 2^53. */
const getTypeParser: pg.CustomTypesConfig["getTypeParser"] = (id, format) =>
  id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format);

function createBuilder(): Kysely<PointsTables> {
  return new Kysely<PointsTables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (introspected) => new PostgresIntrospector(introspected),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}
