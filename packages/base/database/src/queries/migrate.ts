import { randomUUID } from "node:crypto";
import { StoreSchemaError } from "../errors.ts";
import type { Database, QueryRunner } from "./database.ts";
import { type CompiledQuery, type Query, statement } from "./query.ts";

/** The statements of each migration, in order. A schema's version is the number of migrations applied to it. */
export type Migrations = readonly (readonly CompiledQuery<unknown>[])[];

export interface StorageInfo {
  /** Random, created with the schema: tells whether two processes use the same database. */
  readonly storage_id: string;
  readonly schema_version: number;
}

const createStorageInfo = statement(
  'create table if not exists "storage_info" ("storage_id" text not null primary key, "schema_version" integer not null, "created_at" text not null)',
);
export const readStorageInfo: Query<unknown, StorageInfo> = statement(
  "select storage_id, schema_version from storage_info",
);

/**
 * Creates the schema or updates it, inside a transaction that the caller has begun.
 * @returns the `storage_id`
 * @throws StoreSchemaError the schema is newer than this program
 * @throws StoreUnavailableError
 */
export async function migrate<Source>(
  database: Database<Source>,
  runner: QueryRunner<Source>,
  migrations: Migrations,
): Promise<string> {
  await database.lockSchema(runner);
  // A user who may not create tables can still use a schema that is up to date.
  const found = await runner.run(database.findStorageInfo);
  if (found.rows.length === 0) await runner.run(createStorageInfo);
  const [info] = (await runner.run(readStorageInfo)).rows;
  const version = info?.schema_version ?? 0;
  throwIfNewer(version, migrations.length);
  for (const compiled of migrations.slice(version).flat()) {
    await runner.run({ compile: () => compiled });
  }
  const storage_id = info?.storage_id ?? randomUUID();
  if (info === undefined) {
    await runner.run(
      statement(
        `insert into storage_info (storage_id, schema_version, created_at)
          values ('${storage_id}', ${migrations.length}, '${new Date().toISOString()}')`,
      ),
    );
  } else if (version < migrations.length) {
    await runner.run(statement(`update storage_info set schema_version = ${migrations.length}`));
  }
  return storage_id;
}

/** @throws StoreSchemaError the schema is newer than this program */
export function throwIfNewer(version: number, known: number): void {
  if (version <= known) return;
  throw new StoreSchemaError(
    `the database has schema version ${version}, and this program knows versions up to ${known}: use a newer version of the program, or another database`,
  );
}
