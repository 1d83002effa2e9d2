import type { Compilable } from "kysely";
import type { JobStore } from "../job-store.ts";
import { JobStoreOfCalls } from "../job-store-of-calls.ts";
import type { JobCalls } from "../queries/jobs/job-calls.ts";
import { jobReads, jobTransactions } from "../queries/jobs/job-queries.ts";
import { stepsReader } from "../queries/read-steps.ts";
import type { Transaction } from "../queries/transaction.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { migrate } from "./migrate.ts";
import type { PostgresStoreOptions } from "./open-postgres-store.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { checkUrl } from "./postgres-options.ts";
import { prepareRead, prepareTransactionQuery } from "./prepare-query.ts";
import { createQueryBuilder } from "./query-builder.ts";
import { runTransaction } from "./run-transaction.ts";

const readTimeoutMs = 10_000;
const transactionTimeoutMs = 30_000;

/**
 * Connects to the database for a launcher and brings its schema up to date.
 * @throws TypeError `db_url` is no URL of PostgreSQL
 * @throws StoreSchemaError the schema is newer than this program, or the server older than 16
 * @throws StoreUnavailableError
 */
export async function openPostgresJobStore(options: PostgresStoreOptions): Promise<JobStore> {
  const { closeTimeoutMs = 10_000 } = options;
  checkUrl(options.db_url);
  const pool = new ConnectionPool(options);
  try {
    const storage_id = await migrate(pool);
    const source = { db: createQueryBuilder(), dialect: postgresDialect };
    const readSource = {
      ...source,
      prepare: <Row>(query: Compilable<Row>) => prepareRead(pool, query, readTimeoutMs),
    };
    const calls = jobCalls(pool, {
      reads: jobReads(readSource),
      writes: jobTransactions({ ...source, prepare: prepareTransactionQuery }),
    });
    return new JobStoreOfCalls({
      storage_type: "cloud",
      storage_id,
      call: (name, request) => calls[name](request),
      readSteps: stepsReader(readSource),
      close: () => pool.close(closeTimeoutMs),
    });
  } catch (error) {
    await pool.close(0);
    throw error;
  }
}

type JobFunctions = {
  readonly [Name in keyof JobCalls]: (
    request: JobCalls[Name]["request"],
  ) => Promise<JobCalls[Name]["reply"]>;
};

interface JobQueries {
  readonly reads: ReturnType<typeof jobReads>;
  readonly writes: ReturnType<typeof jobTransactions>;
}

function jobCalls(pool: ConnectionPool, { reads, writes }: JobQueries): JobFunctions {
  let last: Promise<unknown> = Promise.resolve();
  // One after the other, as they were asked: a heartbeat comes before the look for what is stale.
  const inTransaction =
    <Request, Result>(work: (request: Request, now: string) => Transaction<Result>) =>
    (request: Request): Promise<Result> => {
      const deadline = Date.now() + transactionTimeoutMs;
      const result = last.then(() => runTransaction(pool, (now) => work(request, now), deadline));
      last = result.catch(() => {});
      return result;
    };
  const interruptStale = inTransaction(writes.interruptStale);
  return {
    ...reads,
    addSimulations: inTransaction(writes.addSimulations),
    claim: inTransaction(writes.claim),
    heartbeat: inTransaction(writes.heartbeat),
    interruptStale({ job_id, stale_after_ms }) {
      const askedAt = performance.now();
      // A process that was held up in between has not beaten meanwhile: that is not to be held against it.
      const request = {
        job_id,
        get stale_after_ms() {
          return stale_after_ms + performance.now() - askedAt;
        },
      };
      return interruptStale(request);
    },
    interrupt: inTransaction(writes.interrupt),
    retryFailed: inTransaction(writes.retryFailed),
    fail: inTransaction(writes.fail),
    commitReward: inTransaction(writes.commitReward),
  };
}
