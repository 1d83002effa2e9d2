import type { PostgresOptions } from "@proj/database/postgres";
import { openPostgresStore } from "./postgres/open-postgres-store.ts";
import { openSqliteStore } from "./sqlite/open-sqlite-store.ts";
import type { BrowsableStore } from "./store-browser.ts";

export interface StoreOptions {
  readonly storage_type: "sqlite" | "cloud";
  /** Options of the other database are ignored. */
  /** PostgreSQL only: see PostgresStoreOptions. */
  readonly onWentBack?: (() => void) | undefined;
  readonly storage_config: PostgresOptions & {
    /** Strings of payloads from this size on are stored once for each job, in bytes. @default 32768 */
    readonly large_value_bytes?: number;
    /** SQLite only. @default "full" */
    readonly synchronous?: "full" | "normal";
    /** `openStore` of SQLite only: whether this process owns the file; only one may. @default true */
    readonly isOwner?: boolean;
    /** `openJobStore` of SQLite only: whether to create a missing file. @default true */
    readonly create?: boolean;
  };
}

/**
 * Opens the storage that a configuration names.
 * @throws TypeError `db_url` does not fit `storage_type`
 * @throws StoreSchemaError this program cannot work with the database
 * @throws StoreUnavailableError
 */
export async function openStore(options: StoreOptions): Promise<BrowsableStore> {
  const { storage_type, storage_config, onWentBack } = options;
  switch (storage_type) {
    case "sqlite":
      return openSqliteStore(storage_config);
    case "cloud":
      return openPostgresStore({ ...storage_config, onWentBack });
  }
}
