import { openSqliteStore } from "./sqlite/open-sqlite-store.ts";
import type { SessionStore } from "./store.ts";
import { StoreSchemaError } from "./store-errors.ts";

export interface StoreOptions {
  readonly storage_type: "sqlite" | "cloud";
  readonly storage_config: {
    readonly db_url: string;
    /** SQLite only. @default "full" */
    readonly synchronous?: "full" | "normal";
  };
}

/**
 * Opens the storage that a configuration names.
 * @throws TypeError `db_url` does not fit `storage_type`
 * @throws StoreSchemaError the database is not one that this program can work with
 * @throws StoreUnavailableError
 */
export async function openStore(options: StoreOptions): Promise<SessionStore> {
  const { storage_type, storage_config } = options;
  switch (storage_type) {
    case "sqlite":
      return openSqliteStore(storage_config);
    case "cloud":
      throw cloudRefusal();
  }
}

export function cloudRefusal(): StoreSchemaError {
  return new StoreSchemaError(
    "storage_type cloud is not available in this version: use sqlite, with storage_config.db_url of the form sqlite://<file>",
  );
}
