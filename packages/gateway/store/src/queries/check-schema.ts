import {
  type Database,
  readStorageInfo,
  StoreSchemaError,
  StoreUnavailableError,
  throwIfNewer,
} from "@proj/database";
import type { StoreRunner } from "../dialect.ts";
import { migrations } from "../migrations/migrations.ts";

/**
 * The `storage_id` of a database; its schema is checked but not updated.
 * @throws StoreSchemaError this program cannot read it as it is
 */
export async function checkSchema<Source>(database: Database<Source>): Promise<string> {
  const found = await database.run(database.findStorageInfo);
  if (found.rows.length === 0) throw new StoreSchemaError("it is not a gateway's database");
  const [info] = (await database.run(readStorageInfo)).rows;
  throwIfNewer(info?.schema_version ?? 0, migrations.length);
  return info?.storage_id ?? "";
}

/** @throws StoreUnavailableError the database can be read, but its content is gone */
export async function ping(runner: StoreRunner): Promise<null> {
  const { rows } = await runner.run(readStorageInfo);
  if (rows.length === 0) throw new StoreUnavailableError("the storage_info is gone");
  return null;
}
