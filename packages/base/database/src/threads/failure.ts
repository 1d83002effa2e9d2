import { StoreReplacedError, StoreSchemaError, StoreUnavailableError } from "../errors.ts";

/** An error on its way from a storage thread to its caller. */
export interface Failure {
  readonly kind: "unavailable" | "replaced" | "schema" | "other";
  readonly message: string;
  /** Whether the connection may be broken: then the thread ends, and the next call starts a new one. */
  readonly isLast: boolean;
}

export function restoreFailure({ kind, message }: Failure): Error {
  if (kind === "schema") return new StoreSchemaError(message);
  if (kind === "replaced") return new StoreReplacedError(message);
  if (kind === "unavailable") return new StoreUnavailableError(message);
  return new Error(message);
}
