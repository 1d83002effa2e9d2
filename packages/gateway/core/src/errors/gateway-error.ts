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

export const gatewayDraining = (): GatewayError =>
  new GatewayError(
    "gateway_draining",
    "The gateway is shutting down. Try again, or try another gateway.",
    { retryAfterMs: 1_000 },
  );

/** Long enough for the other gateway's request to end; random, so that two retries do not collide again. */
const retryAfterMs = (): number => 200 + Math.round(400 * Math.random());

/** Another gateway has the session. The retry binds it to the gateway that it reaches. */
export function sessionMoved(session_id: string): GatewayError {
  const message = `Session '${session_id}' has moved to another gateway, and this request is not recorded. Try again.`;
  return new GatewayError("session_moved", message, { retryAfterMs: retryAfterMs() });
}

/** @param model the route key */
export function streamNotSupported(model: string): GatewayError {
  return new GatewayError(
    "stream_not_supported",
    `Route '${model}' does not stream. Leave 'stream' out, or set it to false.`,
    { param: "stream" },
  );
}

export const websocketNotSupported = (): GatewayError =>
  new GatewayError(
    "websocket_not_supported",
    "The gateway does not support WebSockets. Send the request as a POST.",
  );
