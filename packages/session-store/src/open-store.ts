import { openPostgresStore } from "./postgres/open-postgres-store.ts";
import type { PostgresOptions } from "./postgres/postgres-options.ts";
import { openSqliteStore } from "./sqlite/open-sqlite-store.ts";
import type { SessionStore } from "./store.ts";

export interface StoreOptions {
  readonly storage_type: "sqlite" | "cloud";
  /** What is the other database's alone has no effect. */
  readonly storage_config: PostgresOptions & {
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
      return openPostgresStore(storage_config);
  }
}
