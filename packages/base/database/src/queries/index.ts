export {
  compileMigrations,
  createPostgresBuilder,
  createSqliteBuilder,
  type Migration,
  parameter,
  type QuerySource,
} from "./query-builders.ts";
