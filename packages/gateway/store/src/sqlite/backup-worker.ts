import { workerData } from "node:worker_threads";
import { backupDatabase, serveFile } from "@proj/database/sqlite";
import type { ThreadData } from "@proj/database/threads";

/** A thread for one backup, which keeps it busy from start to end. */
export interface BackupCalls {
  /** Takes the copy's file name and replies with its size in bytes. */
  readonly backup: { readonly request: string; readonly reply: number };
}

const { file }: ThreadData = workerData;

void serveFile<BackupCalls>(file, () => ({
  ready: null,
  answer: (_backup, target) => backupDatabase(file, target),
  close() {},
}));
