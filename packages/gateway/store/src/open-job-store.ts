import type { JobReader } from "./job-reader.ts";
import type { JobStore } from "./job-store.ts";
import type { StoreOptions } from "./open-store.ts";
import { openPostgresJobReader } from "./postgres/open-postgres-job-reader.ts";
import { openPostgresJobStore } from "./postgres/open-postgres-job-store.ts";
import { openSqliteJobReader } from "./sqlite/open-sqlite-job-reader.ts";
import { openSqliteJobStore } from "./sqlite/open-sqlite-job-store.ts";

/**
 * Opens the storage that a configuration names, for a launcher.
 * @throws TypeError `db_url` does not fit `storage_type`
 * @throws StoreSchemaError this program cannot work with the database
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

/**
 * Opens an existing storage to read jobs and steps. It changes nothing: it neither creates a storage nor updates the
 * schema.
 * @throws TypeError `db_url` does not fit `storage_type`
 * @throws StoreSchemaError the schema is newer than this program
 * @throws StoreUnavailableError also when there is no such database
 */
export async function openJobReader(options: StoreOptions): Promise<JobReader> {
  const { storage_type, storage_config } = options;
  switch (storage_type) {
    case "sqlite":
      return openSqliteJobReader(storage_config);
    case "cloud":
      return openPostgresJobReader(storage_config);
  }
}
