import { type ErrorBody, type ErrorCode, type ErrorKind, errorKinds } from "@proj/gateway-protocol";
import { InvalidRequest } from "@proj/model-apis";

export interface GatewayErrorOptions {
  readonly param?: string;
  readonly cause?: unknown;
  /** Overrides the table of error codes. */
  readonly retryable?: boolean;
  /** Becomes `Retry-After` (whole seconds) and `retry-after-ms`. */
  readonly retryAfterMs?: number;
  /** Further headers for the answer, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The only error that the gateway answers with. Callers read its message. */
export class GatewayError extends Error {
  override readonly name = "GatewayError";
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, options: GatewayErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.param = options.param ?? null;
    this.retryable = options.retryable ?? errorKinds[code].retryable;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.headers = options.headers ?? {};
  }

  get kind(): ErrorKind {
    return errorKinds[this.code];
  }

  get body(): ErrorBody {
    const { message, param, code } = this;
    return { error: { message, type: this.kind.type, param, code } };
  }
}

/** The caller closed its connection before it had the whole answer. Nobody is left to answer. */
export class CallerGoneError extends Error {
  override readonly name = "CallerGoneError";
}

/** The errors that can end a call before its answer is complete. */
export type CallError = GatewayError | CallerGoneError;

/** Any other error is our fault: its details belong in the log, not in the answer. */
export function asGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (error instanceof InvalidRequest) {
    const { message, param, cause } = error;
    return new GatewayError("invalid_request", message, { cause, ...(param && { param }) });
  }
  return new GatewayError("internal_error", "The gateway failed. Its log has the details.", {
    cause: error,
  });
}

export function asCallError(error: unknown): CallError {
  return error instanceof CallerGoneError ? error : asGatewayError(error);
}
