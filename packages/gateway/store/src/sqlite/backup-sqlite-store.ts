import { resolve } from "node:path";
import { databaseFile } from "@proj/database/sqlite";
import { openReaderThread } from "@proj/database/threads";
import type { BackupCalls } from "./backup-worker.ts";

export interface Backup {
  /** The absolute path of the copy. */
  readonly file: string;
  readonly bytes: number;
}

/**
 * Copies a database to a new file as it is at one moment, even while a gateway and launchers use it.
 * @param target relative to the working directory
 * @throws TypeError `db_url` names no file
 * @throws StoreUnavailableError the database cannot be read, or `target` exists or cannot be written
 */
export async function backupSqliteStore(db_url: string, target: string): Promise<Backup> {
  const thread = openReaderThread<BackupCalls>(
    databaseFile(db_url),
    import.meta.resolve("@proj/session-store/sqlite-backup-worker"),
  );
  const file = resolve(target);
  try {
    return { file, bytes: await thread.call("backup", file, { deadline: Infinity }) };
  } finally {
    await thread.close(0);
  }
}
