export {
  type PostgresServer,
  type PostgresServerOptions,
  startPostgresServer,
} from "./postgres-server.ts";
export { type TemporaryPostgres, temporaryPostgres } from "./temporary-postgres.ts";
