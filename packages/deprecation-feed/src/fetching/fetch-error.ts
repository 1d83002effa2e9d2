/** A document could not be had; the message says of which address, and why. */
export class FetchError extends Error {
  override readonly name = "FetchError";
  /** Whether the same request may do better in a while. */
  readonly isPassing: boolean;
  /** Milliseconds that the server asks to wait; null: it does not say. */
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

/** `fetch` says "fetch failed", and the reason in the chain of causes. */
export function describeCause(error: unknown): string {
  let reason = error;
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause;
  if (!(reason instanceof Error)) return String(reason);
  const code = "code" in reason ? String(reason.code) : "";
  return reason.message || code || reason.name;
}
