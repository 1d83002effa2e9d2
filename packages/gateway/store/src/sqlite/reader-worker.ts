import { workerData } from "node:worker_threads";
import { openReaderConnection, SqliteDatabase, serveFile } from "@proj/database/sqlite";
import type { ThreadData } from "@proj/database/threads";
import type { Database } from "better-sqlite3";
import type { StoreSource } from "../dialect.ts";
import { countAttempts } from "../job-counts.ts";
import * as browseReads from "../queries/browse/browse-reads.ts";
import { checkSchema, ping } from "../queries/check-schema.ts";
import * as jobReads from "../queries/jobs/job-reads.ts";
import type { CallFunctions } from "../queries/query-calls.ts";
import * as sessionReads from "../queries/session-reads.ts";
import { readBinding } from "../queries/sessions/read-binding.ts";
import type { ReaderCalls } from "./reader-calls.ts";
import { sqliteSource } from "./sqlite-source.ts";

const data: ThreadData = workerData;
const { file, stop } = data;

void serveFile<ReaderCalls>(file, () => {
  // Opened at the first call: this thread starts beside the writer, which has to create the file first.
  let opened: SqliteDatabase<StoreSource> | null = null;
  const database = (): SqliteDatabase<StoreSource> => {
    opened ??= new SqliteDatabase({
      ...{ file, stop, busyTimeoutMs: 0, source: sqliteSource },
      lookMs: Infinity,
      connect: () => {
        const connection = openReaderConnection(data);
        readOlderSchema(connection.database);
        return connection;
      },
    });
    // Checks the file once for all queries of a call.
    opened.look();
    return opened;
  };
  const functions: CallFunctions<ReaderCalls> = {
    ...jobReads,
    ...browseReads,
    ...sessionReads,
    readBinding,
    open: () => checkSchema(database()),
    ping,
  };

  return {
    ready: null,
    answer: (name, request) => functions[name](database(), request),
    close: () => opened?.close(),
  };
});

/**
 * Lets queries read a database whose schema is older: views of this connection alone take the place of what is missing.
 * A reader must not update the schema.
 */
function readOlderSchema(database: Database): void {
  const has = database.prepare<[string]>("select 1 from sqlite_master where name = ?");
  if (has.get("stored_steps") === undefined) return;
  database.pragma("query_only = off");
  // Without large values.
  if (has.get("unfolded_steps") === undefined)
    database.exec(`create temp view unfolded_steps as select * from stored_steps;
      create temp view step_values as select 0 as row_id, '' as payload, 0 as bytes where false`);
  if (has.get("job_counts") === undefined)
    database.exec(`create temp view job_counts as ${countAttempts()}`);
  database.pragma("query_only = on");
}
