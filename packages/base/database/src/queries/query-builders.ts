import {
  type Compilable,
  Kysely,
  PostgresDialect,
  type RawBuilder,
  SqliteDialect,
  sql,
} from "@proj/database/kysely";
import type { Migrations } from "./migrate.ts";
import { Parameter, type QueryValue } from "./query.ts";

/** What a package builds its queries from. Each database has one. */
export interface QuerySource<Tables, Dialect> {
  readonly db: Kysely<Tables>;
  /** The parts of queries and schema that differ between databases. */
  readonly dialect: Dialect;
}

/** The statements that take the schema from one version to the next. */
export type Migration<Tables, Dialect> = (db: Kysely<Tables>, dialect: Dialect) => Compilable[];

/** @param migrations in order; a released migration never changes */
export function compileMigrations<Tables, Dialect>(
  migrations: readonly Migration<Tables, Dialect>[],
  { db, dialect }: QuerySource<Tables, Dialect>,
): Migrations {
  return migrations.map((migration) =>
    migration(db, dialect).map((each) => {
      const { sql, parameters } = each.compile();
      return { sql, parameters };
    }),
  );
}

/** Builds SQL for SQLite, but runs none. */
export function createSqliteBuilder<Tables>(): Kysely<Tables> {
  return new Kysely({ dialect: new SqliteDialect({ database: runsNothing }) });
}

/** Builds SQL for PostgreSQL, but runs none. */
export function createPostgresBuilder<Tables>(): Kysely<Tables> {
  return new Kysely({ dialect: new PostgresDialect({ pool: runsNothing }) });
}

async function runsNothing(): Promise<never> {
  throw new Error("queries are compiled with this, and run by the database itself");
}

/** The placeholder for a value that is known only when the query runs. */
export function parameter<Value extends QueryValue>(name: string): RawBuilder<Value> {
  return sql<Value>`${new Parameter(name)}`;
}
