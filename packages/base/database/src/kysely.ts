/**
 * Everything of Kysely that the packages with a schema use. A running program loads it as one file, which
 * `bundle-kysely.mjs` makes: loading Kysely's 255 modules takes 15 times as long, and every program and every thread
 * with a database would have to do it at its start.
 */
export {
  type ColumnType,
  type Compilable,
  CompiledQuery,
  type CreateTableBuilder,
  type Expression,
  type ExpressionBuilder,
  type Generated,
  type InferResult,
  Kysely,
  PostgresDialect,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  SqliteDialect,
  sql,
} from "kysely";
