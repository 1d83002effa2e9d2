export type * from "./config.ts";
export { type ErrorBody, type ErrorCode, type ErrorKind, type ErrorSource, errorKinds } from "./error-codes.ts";
