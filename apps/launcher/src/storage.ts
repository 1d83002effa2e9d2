import { existsSync } from "node:fs";
import { publicDbUrl } from "@proj/gateway-protocol";
import { type JobStore, openJobStore, type StoreOptions } from "@proj/session-store";
import { UsageError } from "./command-line/usage-error.ts";

const sqlite = "sqlite://";

/** The storage that a `--db-path` names, by its scheme. @throws UsageError */
export function storageOf(db_path: string): StoreOptions {
  const storage_config = { db_url: db_path };
  if (db_path.startsWith(sqlite)) return { storage_type: "sqlite", storage_config };
  if (/^postgres(ql)?:\/\//.test(db_path)) return { storage_type: "cloud", storage_config };
  throw new UsageError(
    `--db-path must be sqlite://<file> or postgres://…, as the gateway's storage_config.db_url, not '${publicDbUrl(db_path)}'`,
  );
}

/** Opens a storage that is only read, and closes it after the work. */
export async function withStorage<T>(
  db_path: string,
  work: (store: JobStore) => Promise<T>,
): Promise<T> {
  const options = storageOf(db_path);
  // A storage is made where there is none: a wrong path must not become a new database.
  if (options.storage_type === "sqlite" && !existsSync(db_path.slice(sqlite.length))) {
    throw new Error(
      `there is no database ${db_path}: give the gateway's storage_config.db_url with --db-path, and for a relative one start in the folder in which the gateway was started`,
    );
  }
  const store = await openJobStore(options);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** A storage that is opened, and made where there is none, when it is first asked for. */
export class LaterStorage {
  readonly #db_path: string;
  #opening: Promise<JobStore> | null = null;

  constructor(db_path: string) {
    this.#db_path = db_path;
  }

  /** @throws UsageError, and the errors of openJobStore */
  open(): Promise<JobStore> {
    this.#opening ??= openJobStore(storageOf(this.#db_path));
    return this.#opening;
  }

  async close(): Promise<void> {
    const store = await this.#opening?.catch(() => null);
    await store?.close();
  }
}
