import { join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import { temporaryPostgres } from "@proj/test-kit/postgres";

/** The databases that everything must work on. */
export const databases = ["sqlite", "postgres"] as const;
export type DatabaseName = (typeof databases)[number];

export interface TemporaryStorage extends AsyncDisposable {
  readonly db_url: string;
}

/** An empty storage, deleted when it is disposed of. */
export async function temporaryStorage(database: DatabaseName): Promise<TemporaryStorage> {
  if (database === "postgres") {
    const postgres = await temporaryPostgres();
    return { db_url: postgres.url, [Symbol.asyncDispose]: () => postgres[Symbol.asyncDispose]() };
  }
  const folder = await temporaryFolder();
  return {
    db_url: `sqlite://${join(folder.path, "points.db")}`,
    [Symbol.asyncDispose]: folder.remove,
  };
}
