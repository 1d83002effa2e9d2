/**
 * `gateway_unreachable`, `storage_mismatch` and `model_not_configured` are documented in docs/interfaces.md,
 * "Launcher: errors at start".
 */
export type StartupErrorCode =
  | "gateway_unreachable"
  | "not_a_gateway"
  | "gateway_not_ready"
  | "invalid_api_key"
  | "gateway_refused"
  | "storage_mismatch"
  | "storage_unavailable"
  | "model_not_configured"
  | "tokens_not_trainable"
  | "gateway_config_unreadable";

/** One reason why a launcher cannot start: what was compared, and what to do. Contains no secret. */
export class StartupError extends Error {
  override readonly name = "StartupError";
  readonly code: StartupErrorCode;

  constructor(code: StartupErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** All reasons that were found; the message has one per line. */
export class PreflightError extends Error {
  override readonly name = "PreflightError";
  readonly errors: readonly StartupError[];

  constructor(errors: readonly StartupError[]) {
    super(errors.map(({ message }) => message).join("\n"));
    this.errors = errors;
  }
}
