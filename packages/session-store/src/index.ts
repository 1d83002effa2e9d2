export type * from "./job-store.ts";
export { openJobStore } from "./open-job-store.ts";
export { openStore, type StoreOptions } from "./open-store.ts";
export { openSqliteJobStore } from "./sqlite/open-sqlite-job-store.ts";
export { openSqliteStore, type SqliteStoreOptions } from "./sqlite/open-sqlite-store.ts";
export type * from "./store.ts";
export { StoreSchemaError, StoreUnavailableError } from "./store-errors.ts";
