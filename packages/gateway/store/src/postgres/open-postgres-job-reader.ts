import type { JobReader } from "../job-reader.ts";
import * as browseReads from "../queries/browse/browse-reads.ts";
import { checkSchema } from "../queries/check-schema.ts";
import * as jobReads from "../queries/jobs/job-reads.ts";
import { callsOn } from "../queries/query-calls.ts";
import type { BrowseCalls, JobReadCalls } from "../queries/read-calls.ts";
import { readSteps } from "../queries/read-steps.ts";
import { connect, databaseOf, type PostgresStoreOptions } from "./connect.ts";
import { postgresSource } from "./postgres-source.ts";
import { sourceOf } from "./server.ts";

/**
 * Connects to a database that has the schema, and changes nothing in it.
 * @throws TypeError `db_url` is not a URL of PostgreSQL
 * @throws StoreSchemaError there is no schema, or it is newer than this program
 * @throws StoreUnavailableError
 */
export async function openPostgresJobReader(options: PostgresStoreOptions): Promise<JobReader> {
  return connect(options, async (pool) => {
    const source = await sourceOf(databaseOf(pool, postgresSource, options));
    const database = databaseOf(pool, source, options);
    return {
      storage_type: "cloud",
      storage_id: await checkSchema(database),
      ...callsOn<JobReadCalls>(jobReads, database),
      readSteps: (query) => readSteps(database, query),
      browser: callsOn<BrowseCalls>(browseReads, database),
      close: () => database.close(),
    };
  });
}
