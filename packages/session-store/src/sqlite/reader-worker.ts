import { statSync } from "node:fs";
import { workerData } from "node:worker_threads";
import type { Database } from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import { readEnvironment } from "../queries/read-environment.ts";
import { readLatestSuccessStep } from "../queries/read-latest-success-step.ts";
import { readSession } from "../queries/read-session.ts";
import { readSteps } from "../queries/read-steps.ts";
import type { StoreTables } from "../schema.ts";
import { StoreUnavailableError } from "../store-errors.ts";
import { openReaderConnection } from "./connection.ts";
import type { ReaderCalls } from "./reader-calls.ts";
import { serveCalls } from "./serve-calls.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import type { ThreadData } from "./thread-messages.ts";

const { file }: ThreadData = workerData;

interface Connection {
  readonly database: Database;
  readonly db: Kysely<StoreTables>;
  /** Tells the file from another one of the same name. */
  readonly fileId: number;
}

serveCalls<ReaderCalls>(file, () => {
  // Opened at the first call: this thread starts beside the writer, which first has to make the file.
  let connection: Connection | null = null;
  const open = (): Connection => {
    connection ??= openConnection();
    return connection;
  };

  return {
    ready: null,
    handlers: {
      readSession: (session_id) => readSession(open().db, sqliteDialect, session_id),
      readEnvironment: (session_id) => readEnvironment(open().db, session_id),
      readLatestSuccessStep: ({ session_id, model }) =>
        readLatestSuccessStep(open().db, session_id, model),
      readSteps: (query) => readSteps(open().db, query),
      async ping() {
        const { db, fileId } = open();
        // Whoever has a removed file open goes on to write what nobody will read.
        if (statSync(file, { throwIfNoEntry: false })?.ino !== fileId) {
          throw new StoreUnavailableError(
            "the file was removed or replaced while in use: restart with the one that is meant",
          );
        }
        await db.selectFrom("storage_info").select("storage_id").executeTakeFirstOrThrow();
        return null;
      },
    },
    close: () => connection?.database.close(),
  };
});

function openConnection(): Connection {
  const database = openReaderConnection(file);
  const db = new Kysely<StoreTables>({ dialect: new SqliteDialect({ database }) });
  return { database, db, fileId: statSync(file).ino };
}
