import { stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";

export interface FileMeasures {
  /** Committed data that is not yet in the database, and the part of the file that is kept to be overwritten. */
  readonly wal_bytes: number;
  /** How much this user can still write to the file's disk. */
  readonly free_bytes: number;
}

/** @throws Error with the system's `code` */
export async function measureFile(file: string): Promise<FileMeasures> {
  const { bavail, bsize } = await statfs(dirname(file));
  const wal = await stat(`${file}-wal`).catch(() => null);
  return { wal_bytes: wal?.size ?? 0, free_bytes: bavail * bsize };
}
