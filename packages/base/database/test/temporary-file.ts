import { join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import Database from "better-sqlite3";
import { onTestFinished } from "vitest";
import { monotonicMs } from "../src/clock.ts";
import { type Connection, openWriterConnection } from "../src/sqlite/connection.ts";
import { makeDatabaseFile } from "../src/sqlite/database-file.ts";
import type { StopFlag } from "../src/threads/thread-messages.ts";

/** A file name in a new folder, which is removed when the test has finished. */
export async function temporaryFile(): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  return join(folder.path, "test.db");
}

/** A connection beside the tested one, such as another program might have. */
export function connectTo(file: string): Database.Database {
  const database = new Database(file, { timeout: 0 });
  onTestFinished(() => {
    database.close();
  });
  return database;
}

/** The stop flag that a store's threads share. */
export const newStop = (): StopFlag => new Int32Array(new SharedArrayBuffer(4));

export function openWriter(file: string, synchronous: "full" | "normal" = "full"): Connection {
  makeDatabaseFile(file);
  const connection = openWriterConnection(
    { file, stop: newStop(), known: null },
    { synchronous, keptWalBytes: 1024 * 1024, checkpointBytes: 0 },
    monotonicMs() + 1000,
  );
  onTestFinished(() => {
    connection.database.close();
  });
  return connection;
}
