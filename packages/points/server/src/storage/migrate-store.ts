import { migrate } from "@proj/database";
import { compileMigrations } from "@proj/database/queries";
import { firstTables } from "./first-tables.ts";
import type { PointsDatabase } from "./source.ts";

/** In order; a schema's version is the number of migrations applied. A released migration never changes. */
const migrations = [firstTables];

/**
 * Brings the schema up to date; creates it in an empty database.
 * @throws StoreSchemaError the schema is newer than this program
 * @throws StoreUnavailableError
 */
export async function migrateStore(database: PointsDatabase): Promise<void> {
  const compiled = compileMigrations(migrations, database.source);
  await database.transaction((runner) => migrate(database, runner, compiled));
}
