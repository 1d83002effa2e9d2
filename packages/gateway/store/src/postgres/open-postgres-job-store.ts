import { monotonicMs } from "@proj/database";
import type { JobStore } from "../job-store.ts";
import { jobStoreOfCalls } from "../job-store-of-calls.ts";
import { callJob } from "../queries/jobs/job-calls.ts";
import { readSteps } from "../queries/read-steps.ts";
import { connect, type PostgresStoreOptions } from "./connect.ts";
import { openSchema } from "./open-schema.ts";

const transactionTimeoutMs = 30_000;

/**
 * Connects to the database for a launcher and updates its schema.
 * @throws TypeError `db_url` is not a URL of PostgreSQL
 * @throws StoreSchemaError the schema is newer than this program, or the server older than 14
 * @throws StoreUnavailableError
 */
export async function openPostgresJobStore(options: PostgresStoreOptions): Promise<JobStore> {
  return connect(options, async (pool) => {
    const { storage_id, database } = await openSchema(pool, options);
    return jobStoreOfCalls({
      storage_type: "cloud",
      storage_id,
      // Transactions run in the order of the calls, so a heartbeat precedes the search for stale attempts.
      call: (name, request) =>
        callJob(database, name, request, monotonicMs() + transactionTimeoutMs),
      readSteps: (query) => readSteps(database, query),
      close: () => database.close(),
    });
  });
}
