import { migrate } from "@proj/database";
import { compileMigrations } from "@proj/database/queries";
import { migrations } from "./migrations/migrations.ts";
import type { PointsDatabase } from "./source.ts";

/**
 * Brings the schema up to date, and makes it where there is none.
 * @throws StoreSchemaError the schema is newer than this program
 * @throws StoreUnavailableError
 */
export async function migrateStore(database: PointsDatabase): Promise<void> {
  const compiled = compileMigrations(migrations, database.source);
  await database.transaction((runner) => migrate(database, runner, compiled));
}
