import type { JobReader } from "../job-reader.ts";
import { JobReaderOfCalls } from "../job-reader-of-calls.ts";
import { browserOf } from "../queries/browse/browse-calls.ts";
import { checkSchema } from "../queries/check-schema.ts";
import { callJob } from "../queries/jobs/job-calls.ts";
import { readSteps } from "../queries/read-steps.ts";
import { connect, databaseOf, type PostgresStoreOptions } from "./connect.ts";
import { postgresSource } from "./postgres-source.ts";
import { sourceOf } from "./server.ts";

/**
 * Connects to a database that has the schema, and changes nothing in it.
 * @throws TypeError `db_url` is not a URL of PostgreSQL
 * @throws StoreSchemaError there is no schema, or it is newer or much older than this program
 * @throws StoreUnavailableError
 */
export async function openPostgresJobReader(options: PostgresStoreOptions): Promise<JobReader> {
  return connect(options, async (pool) => {
    const source = await sourceOf(databaseOf(pool, postgresSource, options));
    const database = databaseOf(pool, source, options);
    const reads = new JobReaderOfCalls({
      storage_type: "cloud",
      storage_id: await checkSchema(database),
      call: (name, request) => callJob(database, name, request),
      readSteps: (query) => readSteps(database, query),
      close: () => database.close(),
    });
    const browser = browserOf(database);
    return Object.assign(reads, { browser });
  });
}
