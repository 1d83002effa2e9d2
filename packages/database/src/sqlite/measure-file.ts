import { stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";

export interface FileMeasures {
  /** What was committed and is not in the database yet, and what is kept of the file to be written over. */
  readonly wal_bytes: number;
  /** What this user may still write on the file's disk. */
  readonly free_bytes: number;
}

/** @throws Error with the system's `code` */
export async function measureFile(file: string): Promise<FileMeasures> {
  const { bavail, bsize } = await statfs(dirname(file));
  const wal = await stat(`${file}-wal`).catch(() => null);
  return { wal_bytes: wal?.size ?? 0, free_bytes: bavail * bsize };
}
