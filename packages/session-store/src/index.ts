export type * from "./store.ts";
export { StoreSchemaError, StoreUnavailableError } from "./store-errors.ts";
