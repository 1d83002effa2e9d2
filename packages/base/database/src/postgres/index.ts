export { ConnectionPool } from "./connection-pool.ts";
export {
  inTransaction,
  PostgresDatabase,
  type PostgresDatabaseOptions,
} from "./postgres-database.ts";
export { ContentRefusedError } from "./postgres-failure.ts";
export { checkUrl, type PostgresOptions } from "./postgres-options.ts";
