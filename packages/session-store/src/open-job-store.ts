import type { JobStore } from "./job-store.ts";
import type { StoreOptions } from "./open-store.ts";
import { openPostgresJobStore } from "./postgres/open-postgres-job-store.ts";
import { openSqliteJobStore } from "./sqlite/open-sqlite-job-store.ts";

/**
 * Opens the storage that a configuration names, for a launcher.
 * @throws TypeError `db_url` does not fit `storage_type`
 * @throws StoreSchemaError the database is not one that this program can work with
 * @throws StoreUnavailableError
 */
export async function openJobStore(options: StoreOptions): Promise<JobStore> {
  const { storage_type, storage_config } = options;
  switch (storage_type) {
    case "sqlite":
      return openSqliteJobStore(storage_config);
    case "cloud":
      return openPostgresJobStore(storage_config);
  }
}
