import { join } from "node:path";
import type { StoreOptions } from "@proj/session-store";
import { temporaryFolder } from "@proj/test-kit";
import { temporaryPostgres } from "@proj/test-kit/postgres";

/** An empty storage of the kind under test (`TEST_STORE`), which gateway and launcher open. */
export interface TemporaryStorage extends StoreOptions, AsyncDisposable {
  readonly db_url: string;
}

export async function temporaryStorage(): Promise<TemporaryStorage> {
  if (process.env.TEST_STORE === "postgres") {
    const database = await temporaryPostgres();
    const db_url = database.url;
    const dispose = async (): Promise<void> => database[Symbol.asyncDispose]();
    return { ...storageOf(db_url), db_url, [Symbol.asyncDispose]: dispose };
  }
  const folder = await temporaryFolder();
  const db_url = `sqlite://${join(folder.path, "gateway.db")}`;
  return { ...storageOf(db_url), db_url, [Symbol.asyncDispose]: folder.remove };
}

/** The options for a storage URL. */
export function storageOf(db_url: string): StoreOptions {
  if (db_url.startsWith("sqlite://")) return { storage_type: "sqlite", storage_config: { db_url } };
  // A machine that runs every suite at once may take longer than the default.
  return { storage_type: "cloud", storage_config: { db_url, connect_timeout_s: 60 } };
}

/** For a second writer of steps, beside the gateway that owns the file. */
export const beside = ({ storage_type, storage_config }: StoreOptions): StoreOptions => ({
  storage_type,
  storage_config: { ...storage_config, isOwner: false },
});
