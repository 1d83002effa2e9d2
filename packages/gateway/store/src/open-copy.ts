import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JobReader } from "./job-reader.ts";
import { openJobReader } from "./open-job-store.ts";
import { openSqliteCopy, type SqliteCopy } from "./sqlite/sqlite-copy.ts";

/**
 * Opens rows that were stored elsewhere for readers, in a temporary database. Closing it removes it.
 * @param fill adds the rows; the folder is its own, for whatever else it needs
 * @throws StoreUnavailableError; what `fill` throws
 */
export async function openCopy(
  fill: (copy: SqliteCopy, folder: string) => Promise<void>,
): Promise<JobReader> {
  const folder = await mkdtemp(join(tmpdir(), "copy-"));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 10 });
  try {
    const db_url = `sqlite://${join(folder, "copy.db")}`;
    using copy = await openSqliteCopy(db_url);
    await fill(copy, folder);
    copy.finish();
    const storage_config = { db_url, create: false };
    const store = await openJobReader({ storage_type: "sqlite", storage_config });
    const close = async (): Promise<void> => {
      await store.close();
      await remove();
    };
    return { ...store, close };
  } catch (error) {
    await remove();
    throw error;
  }
}
