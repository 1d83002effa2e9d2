/** The storage cannot be used now; nothing is wrong with what it was asked. Trying again can help. */
export class StoreUnavailableError extends Error {
  override readonly name = "StoreUnavailableError";
}

/** The database's schema is not one that this program can work with; a start must fail. */
export class StoreSchemaError extends Error {
  override readonly name = "StoreSchemaError";
}
