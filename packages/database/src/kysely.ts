/**
 * All of Kysely that the packages with a schema use. When a program runs this is one file, which
 * `bundle-kysely.mjs` makes of it: loading Kysely's 255 modules takes 15 times as long, and every program and
 * every thread with a database would do it at its start.
 */
export {
  type ColumnType,
  type Compilable,
  CompiledQuery,
  type CreateTableBuilder,
  DummyDriver,
  type Expression,
  type ExpressionBuilder,
  type Generated,
  type InferResult,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";
