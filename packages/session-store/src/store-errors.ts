/** The storage cannot be used now; nothing is wrong with what it was asked. Trying again can help. */
export class StoreUnavailableError extends Error {
  override readonly name = "StoreUnavailableError";
  /** Whether the thread that writes died with the batch in its hands. */
  readonly writerDied: boolean;

  constructor(message: string, options: { cause?: unknown; writerDied?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.writerDied = options.writerDied ?? false;
  }
}

/** The database's schema is not one that this program can work with; a start must fail. */
export class StoreSchemaError extends Error {
  override readonly name = "StoreSchemaError";
}
