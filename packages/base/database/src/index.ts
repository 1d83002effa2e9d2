export { monotonicMs } from "./clock.ts";
export {
  RefusedError,
  StoreInUseError,
  StoreReplacedError,
  StoreSchemaError,
  StoreUnavailableError,
} from "./errors.ts";
export type { Database, Queries, QueryResult, QueryRunner } from "./queries/database.ts";
export {
  type Migrations,
  migrate,
  readStorageInfo,
  type StorageInfo,
  throwIfNewer,
} from "./queries/migrate.ts";
export {
  type Query,
  type QueryValue,
  type QueryValues,
  query,
  statement,
} from "./queries/query.ts";
