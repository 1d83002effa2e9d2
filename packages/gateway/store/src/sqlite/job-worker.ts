import { workerData } from "node:worker_threads";
import { migrate, monotonicMs } from "@proj/database";
import { compileMigrations } from "@proj/database/queries";
import {
  Checkpointer,
  openWriterConnection,
  SqliteDatabase,
  serveFile,
} from "@proj/database/sqlite";
import type { ThreadData } from "@proj/database/threads";
import { migrations } from "../migrations/migrations.ts";
import { callJob, type JobCalls } from "../queries/jobs/job-calls.ts";
import { sqliteSource } from "./sqlite-source.ts";
import { writerOptions } from "./writer-options.ts";

/** The data that starts a JobStore's thread. */
interface JobData extends ThreadData {
  readonly synchronous: "full" | "normal";
  readonly busyTimeoutMs: number;
}

const data: JobData = workerData;
const { file, synchronous, busyTimeoutMs, stop } = data;

/** A reward rewrites a row with its whole payload, so the WAL's size is looked up each time. */
const unknownBytes = Infinity;

void serveFile<JobCalls>(file, async () => {
  const until = monotonicMs() + busyTimeoutMs;
  const connection = openWriterConnection(data, writerOptions(synchronous), until);
  const database = new SqliteDatabase({
    ...{ file, stop, busyTimeoutMs, source: sqliteSource },
    connect: () => connection,
  });
  const storage_id = await database.transaction((runner) =>
    migrate(database, runner, compileMigrations(migrations, sqliteSource)),
  );
  const checkpointer = new Checkpointer(connection.database);

  return {
    ready: connection.identity.known(storage_id),
    async answer(name, request, deadline) {
      const reply = await callJob(database, name, request, deadline);
      checkpointer.committed(0, unknownBytes);
      return reply;
    },
    async close() {
      checkpointer.close(connection.identity);
      await database.close();
    },
  };
});
