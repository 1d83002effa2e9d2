export interface ErrorDescription {
  readonly type: string;
  readonly message: string;
  readonly code?: string | number;
  readonly stack?: string;
}

/**
 * An error as the log shows it. Other properties, and the errors that caused it, are left out: those of HTTP
 * clients and database drivers contain requests and addresses with their credentials.
 */
export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) {
    const message = typeof error === "string" ? error : `a thrown ${typeof error}`;
    return { type: typeof error, message };
  }
  const code = "code" in error ? error.code : undefined;
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === "string" || typeof code === "number" ? { code } : {}),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
  };
}
