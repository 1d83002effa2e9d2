import { workerData } from "node:worker_threads";
import type { Compilable } from "kysely";
import type { JobCalls } from "../queries/jobs/job-calls.ts";
import { jobReads, jobTransactions } from "../queries/jobs/job-queries.ts";
import type { PreparedQuery } from "../queries/prepared-query.ts";
import type { Transaction } from "../queries/transaction.ts";
import { Checkpointer } from "./checkpointer.ts";
import { openWriterConnection } from "./connection.ts";
import type { JobData } from "./job-data.ts";
import { waitForLock } from "./lock-wait.ts";
import { migrate } from "./migrate.ts";
import { prepareStatement, prepareTransactionQuery, runAtOnce } from "./prepare-query.ts";
import { createQueryBuilder } from "./query-builder.ts";
import { serveCalls } from "./serve-calls.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { WriteTransaction } from "./write-transaction.ts";
import { compileWriterStatements } from "./writer-statements.ts";

const { file, synchronous, busyTimeoutMs, stop }: JobData = workerData;

/** Readers of a WAL hardly ever wait. */
const readWaitMs = 1000;
/** A reward writes a row anew with all its payload, so how far the WAL has grown is looked up each time. */
const unknownBytes = Infinity;

serveCalls<JobCalls>(file, () => {
  const database = openWriterConnection(file, synchronous, Date.now() + busyTimeoutMs, stop);
  const transaction = new WriteTransaction(database, busyTimeoutMs, stop);
  const statements = compileWriterStatements();
  const storage_id = transaction.run(Infinity, () => migrate(database, statements));
  const checkpointer = new Checkpointer(database);

  function prepareRead<Row>(query: Compilable<Row>): PreparedQuery<Row> {
    const run = prepareStatement(database, query);
    return async (values) => waitForLock(() => run(values), Date.now() + readWaitMs, stop);
  }
  const source = { db: createQueryBuilder(), dialect: sqliteDialect };
  const reads = jobReads({ ...source, prepare: prepareRead });
  const writes = jobTransactions({
    ...source,
    prepare: (query) => prepareTransactionQuery(database, query),
  });
  const inTransaction =
    <Request, Result>(work: (request: Request, now: string) => Transaction<Result>) =>
    (request: Request, deadline: number): Result => {
      const begin = () => runAtOnce(work(request, new Date().toISOString()));
      const result = transaction.run(deadline, begin);
      checkpointer.committed(0, unknownBytes);
      return result;
    };

  return {
    ready: storage_id,
    handlers: {
      ...reads,
      addSimulations: inTransaction(writes.addSimulations),
      claim: inTransaction(writes.claim),
      heartbeat: inTransaction(writes.heartbeat),
      interruptStale: inTransaction(writes.interruptStale),
      interrupt: inTransaction(writes.interrupt),
      retryFailed: inTransaction(writes.retryFailed),
      fail: inTransaction(writes.fail),
      commitReward: inTransaction(writes.commitReward),
    },
    close() {
      checkpointer.close();
      database.close();
    },
  };
});
