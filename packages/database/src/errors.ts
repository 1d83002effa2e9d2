/** The storage cannot be used now; nothing is wrong with what it was asked. Trying again can help. */
export class StoreUnavailableError extends Error {
  override readonly name: string = "StoreUnavailableError";
  /** Whether the thread that writes died with the call in its hands. */
  readonly writerDied: boolean;
  /** Whether trying again cannot help before somebody changes the configuration, here or at the server. */
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
 * The open file is no longer the one of its name: it was removed, replaced, or lost its WAL. Nothing
 * written to it would be found. It becomes available again when the name leads to this database.
 */
export class StoreReplacedError extends StoreUnavailableError {
  override readonly name = "StoreReplacedError";
}

/** Another process owns the file, and two would get in each other's way. */
export class StoreInUseError extends StoreUnavailableError {
  override readonly name = "StoreInUseError";
}

/** The database's schema is not one that this program can work with; a start must fail. */
export class StoreSchemaError extends Error {
  override readonly name = "StoreSchemaError";
}

/** The database works, and refuses what it was given: no retry can help. */
export class RefusedError extends Error {
  override readonly name: string = "RefusedError";
}
