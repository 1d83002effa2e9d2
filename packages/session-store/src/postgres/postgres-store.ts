import { environmentReader } from "../queries/read-environment.ts";
import { latestSuccessStepReader } from "../queries/read-latest-success-step.ts";
import { sessionReader } from "../queries/read-session.ts";
import { stepsReader } from "../queries/read-steps.ts";
import type {
  SessionBinding,
  SessionStore,
  StepAmendment,
  StepRow,
  StepWritten,
  WriteOptions,
} from "../store.ts";
import { StoreUnavailableError } from "../store-errors.ts";
import type { ConnectionPool } from "./connection-pool.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { prepareRead } from "./prepare-query.ts";
import { createQueryBuilder } from "./query-builder.ts";
import { SessionOwners } from "./session-owners.ts";
import { StepWriter } from "./step-writer.ts";

const readTimeoutMs = 10_000;
const pingTimeoutMs = 5_000;
const amendTimeoutMs = 30_000;

export interface PostgresStoreParts {
  readonly storage_id: string;
  /** Tells this gateway from every other one, and from itself before a restart. */
  readonly gateway_id: string;
  readonly pool: ConnectionPool;
  readonly closeTimeoutMs: number;
}

/** A SessionStore that shares its database with those of other gateways. */
export class PostgresStore implements SessionStore {
  readonly storage_type = "cloud";
  readonly storage_id: string;
  readonly readSession: SessionStore["readSession"];
  readonly readEnvironment: SessionStore["readEnvironment"];
  readonly readLatestSuccessStep: SessionStore["readLatestSuccessStep"];
  readonly readSteps: SessionStore["readSteps"];
  readonly #pool: ConnectionPool;
  readonly #owners: SessionOwners;
  readonly #steps: StepWriter;
  readonly #closeTimeoutMs: number;

  constructor({ storage_id, gateway_id, pool, closeTimeoutMs }: PostgresStoreParts) {
    this.storage_id = storage_id;
    this.#pool = pool;
    this.#closeTimeoutMs = closeTimeoutMs;
    this.#owners = new SessionOwners(gateway_id);
    this.#steps = new StepWriter(this.#owners);
    const source = {
      db: createQueryBuilder(),
      dialect: postgresDialect,
      prepare: <Row>(query: Parameters<typeof prepareRead<Row>>[1]) =>
        prepareRead(pool, query, readTimeoutMs),
    };
    this.readSession = sessionReader(source);
    this.readEnvironment = environmentReader(source);
    this.readLatestSuccessStep = latestSuccessStepReader(source);
    this.readSteps = stepsReader(source);
  }

  async writeSteps(
    rows: readonly StepRow[],
    { deadline }: WriteOptions,
  ): Promise<readonly StepWritten[]> {
    if (rows.length === 0) return [];
    return this.#pool.use((query) => this.#steps.write(query, rows), deadline);
  }

  async amendSteps(amendments: readonly StepAmendment[]): Promise<void> {
    if (amendments.length === 0) return;
    await this.#pool.use(async (query) => {
      for (const amendment of amendments) await this.#steps.amend(query, amendment);
    }, within(amendTimeoutMs));
  }

  bindSession(session_id: string): Promise<SessionBinding> {
    return this.#pool.use((query) => this.#owners.bind(query, session_id), within(readTimeoutMs));
  }

  closeSession(session_id: string): Promise<void> {
    return this.#pool.use((query) => this.#owners.close(query, session_id), within(readTimeoutMs));
  }

  reopenSession(session_id: string): Promise<void> {
    return this.#pool.use((query) => this.#owners.reopen(query, session_id), within(readTimeoutMs));
  }

  async ping(): Promise<void> {
    await this.#pool.use(async (query) => {
      const [state] = await query<{ readonly is_read_only: boolean }>({
        sql: "select current_setting('transaction_read_only') = 'on' as is_read_only from storage_info",
        values: [],
      });
      if (state === undefined) throw new StoreUnavailableError("the storage_info is gone");
      if (state.is_read_only) {
        throw new StoreUnavailableError("The database is read-only: connect to the primary");
      }
    }, within(pingTimeoutMs));
  }

  close(): Promise<void> {
    return this.#pool.close(this.#closeTimeoutMs);
  }
}

const within = (milliseconds: number): number => Date.now() + milliseconds;
