import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { StateTables } from "./schema.ts";

/**
 * Writes SQL for SQLite, and runs none: statements are compiled once and run by better-sqlite3
 * itself, as a commit has to be over before its command is answered.
 */
export function createQueryBuilder(): Kysely<StateTables> {
  return new Kysely<StateTables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (introspected) => new SqliteIntrospector(introspected),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}
