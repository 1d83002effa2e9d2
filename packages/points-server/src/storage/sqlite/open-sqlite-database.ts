import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "better-sqlite3";
import { databaseFile, makeFolder } from "./database-file.ts";
import { explainSqliteError, isBusy } from "./explain-sqlite-error.ts";
import { openReader, openWriter, type WriterOptions } from "./sqlite-connection.ts";
import { SqliteDatabase } from "./sqlite-database.ts";

const openTimeoutMs = 10_000;

/** @throws TypeError StoreSchemaError StoreUnavailableError */
export async function openSqliteWriter(
  db_url: string,
  options: WriterOptions,
): Promise<SqliteDatabase> {
  const file = databaseFile(db_url);
  await makeFolder(file);
  return open(file, () => openWriter(file, options));
}

/** @throws TypeError StoreUnavailableError */
export async function openSqliteReader(db_url: string): Promise<SqliteDatabase> {
  const file = databaseFile(db_url);
  return open(file, () => openReader(file));
}

/** The first use of a new file: another program may be making it. */
async function open(file: string, connect: () => Database): Promise<SqliteDatabase> {
  const until = performance.now() + openTimeoutMs;
  for (;;) {
    try {
      return new SqliteDatabase(file, connect());
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw explainSqliteError(error, file);
    }
    await sleep(5);
  }
}
