/** A document could not be fetched; the message gives its URL and the reason. */
export class FetchError extends Error {
  override readonly name = "FetchError";
  /** Whether a retry may succeed. */
  readonly isPassing: boolean;
  /** How long the server asks to wait, in milliseconds; null: it does not say. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    options: { isPassing?: boolean; retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.isPassing = options.isPassing ?? false;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** `fetch` only says "fetch failed"; the reason is in the chain of causes. */
export function describeCause(error: unknown): string {
  let reason = error;
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause;
  if (!(reason instanceof Error)) return String(reason);
  const code = "code" in reason ? String(reason.code) : "";
  return reason.message || code || reason.name;
}
