/** The storage cannot be used at the moment; the request itself is fine. Trying again may help. */
export class StoreUnavailableError extends Error {
  override readonly name: string = "StoreUnavailableError";
  /** Whether the writing thread died while it had the call. */
  readonly writerDied: boolean;
  /** Whether trying again is useless until somebody changes the configuration, here or at the server. */
  readonly isMisconfigured: boolean;

  constructor(
    message: string,
    options: { cause?: unknown; writerDied?: boolean; isMisconfigured?: boolean } = {},
  ) {
    super(message, { cause: options.cause });
    this.writerDied = options.writerDied ?? false;
    this.isMisconfigured = options.isMisconfigured ?? false;
  }
}

/**
 * The open file is no longer the one with its name: it was removed, replaced, or lost its WAL. Nothing written to it
 * would be found. The storage becomes available again when the name leads to this database.
 */
export class StoreReplacedError extends StoreUnavailableError {
  override readonly name = "StoreReplacedError";
}

/** Another process owns the file, and two owners would interfere with each other. */
export class StoreInUseError extends StoreUnavailableError {
  override readonly name = "StoreInUseError";
}

/** This program cannot work with the database's schema, so its start must fail. */
export class StoreSchemaError extends Error {
  override readonly name = "StoreSchemaError";
}

/** The database works but refuses its input: no retry can help. */
export class RefusedError extends Error {
  override readonly name: string = "RefusedError";
}
