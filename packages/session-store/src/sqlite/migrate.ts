import { randomUUID } from "node:crypto";
import type { Database } from "better-sqlite3";
import { throwIfNewer } from "../migrations/schema-version.ts";
import type { WriterStatements } from "./writer-statements.ts";

interface StorageInfo {
  readonly storage_id: string;
  readonly schema_version: number;
}

/**
 * Brings the schema up to date, makes it where there is none, and returns the `storage_id`. The
 * caller has begun the transaction that keeps every other program out.
 * @throws StoreSchemaError the schema is newer than this program
 */
export function migrate(
  database: Database,
  { createStorageInfo, migrations }: WriterStatements,
): string {
  database.exec(createStorageInfo);
  const info = database
    .prepare<[], StorageInfo>("select storage_id, schema_version from storage_info")
    .get();
  const version = info?.schema_version ?? 0;
  throwIfNewer(version, migrations.length);
  for (const statements of migrations.slice(version)) {
    for (const statement of statements) database.exec(statement);
  }
  if (info === undefined) {
    const storage_id = randomUUID();
    database
      .prepare("insert into storage_info (storage_id, schema_version, created_at) values (?, ?, ?)")
      .run(storage_id, migrations.length, new Date().toISOString());
    return storage_id;
  }
  if (version < migrations.length) {
    database.prepare("update storage_info set schema_version = ?").run(migrations.length);
  }
  return info.storage_id;
}
