import { statSync } from "node:fs";
import { workerData } from "node:worker_threads";
import type { QuerySource } from "../queries/prepared-query.ts";
import { environmentReader } from "../queries/read-environment.ts";
import { latestSuccessStepReader } from "../queries/read-latest-success-step.ts";
import { sessionReader } from "../queries/read-session.ts";
import { stepsReader } from "../queries/read-steps.ts";
import { StoreUnavailableError } from "../store-errors.ts";
import { openReaderConnection } from "./connection.ts";
import { prepareQuery } from "./prepare-query.ts";
import { createQueryBuilder } from "./query-builder.ts";
import type { ReaderCalls } from "./reader-calls.ts";
import { serveCalls } from "./serve-calls.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import type { ThreadData } from "./thread-messages.ts";

const { file }: ThreadData = workerData;

type Connection = ReturnType<typeof openConnection>;

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
      readSession: (session_id) => open().readSession(session_id),
      readEnvironment: (session_id) => open().readEnvironment(session_id),
      readLatestSuccessStep: ({ session_id, model }) =>
        open().readLatestSuccessStep(session_id, model),
      readSteps: (query) => open().readSteps(query),
      async ping() {
        const { readStorageInfo, fileId } = open();
        // Whoever has a removed file open goes on to write what nobody will read.
        if (statSync(file, { throwIfNoEntry: false })?.ino !== fileId) {
          throw new StoreUnavailableError(
            "the file was removed or replaced while in use: restart with the one that is meant",
          );
        }
        if ((await readStorageInfo({})).length === 0) throw new Error("the storage_info is gone");
        return null;
      },
    },
    close: () => connection?.database.close(),
  };
});

function openConnection() {
  const database = openReaderConnection(file);
  const db = createQueryBuilder();
  const source: QuerySource = {
    db,
    dialect: sqliteDialect,
    prepare: (query) => prepareQuery(database, query),
  };
  return {
    database,
    /** Tells the file from another one of the same name. */
    fileId: statSync(file).ino,
    readSession: sessionReader(source),
    readEnvironment: environmentReader(source),
    readLatestSuccessStep: latestSuccessStepReader(source),
    readSteps: stepsReader(source),
    readStorageInfo: source.prepare(db.selectFrom("storage_info").select("storage_id")),
  };
}
