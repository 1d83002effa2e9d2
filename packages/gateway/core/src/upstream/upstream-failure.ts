import type { IncomingHttpHeaders } from "node:http";
import { errors } from "undici";
import { GatewayError } from "../errors/gateway-error.ts";

/** How far an exchange had come; `waiting` means for the answer's headers, after the request was written. */
export type ExchangeStage = "connecting" | "waiting" | "answering";

export interface UpstreamFailure {
  readonly error: GatewayError;
  /** No connection, or one lost before the answer's headers: another attempt may succeed. */
  readonly lostConnection: boolean;
}

/** The limits in `timeouts` that an upstream can exceed. */
export type UpstreamTimeout = "connect_s" | "first_byte_s" | "idle_s" | "total_s";

const timeoutMeaning: Readonly<Record<UpstreamTimeout, string>> = {
  connect_s: "accepted no connection",
  first_byte_s: "sent no first byte",
  idle_s: "sent nothing further",
  total_s: "did not complete its answer",
};

export function timeoutError(
  upstream: string,
  timeout: UpstreamTimeout,
  seconds: number,
): GatewayError {
  return new GatewayError(
    "upstream_timeout",
    `The upstream of ${upstream} ${timeoutMeaning[timeout]} within ${seconds} s (timeouts.${timeout}).`,
  );
}

/** @param upstream the route and replica, as named in messages */
export function describeFailure(
  error: Error,
  stage: ExchangeStage,
  upstream: string,
  connect_s: number,
): UpstreamFailure {
  if (error instanceof errors.ConnectTimeoutError) {
    return { error: timeoutError(upstream, "connect_s", connect_s), lostConnection: true };
  }
  if (error instanceof errors.ClientDestroyedError || error instanceof errors.ClientClosedError) {
    const message = "The gateway has shut down. Send the request to another one.";
    return {
      error: new GatewayError("gateway_draining", message, { cause: error }),
      lostConnection: false,
    };
  }
  if (error instanceof errors.InvalidArgumentError || error instanceof errors.NotSupportedError) {
    const message = `The request to the upstream of ${upstream} could not be built: ${error.message}.`;
    return {
      error: new GatewayError("internal_error", message, { cause: error, retryable: false }),
      lostConnection: false,
    };
  }
  if (isOwnShortage(error)) {
    const message = `The gateway has no room for another connection to an upstream (${causeOf(error)}). Try again.`;
    const options = { cause: error, retryAfterMs: 1_000 };
    return { error: new GatewayError("overloaded", message, options), lostConnection: false };
  }
  if (stage === "answering") {
    const message = `The upstream of ${upstream} broke off in the middle of its answer (${causeOf(error)}).`;
    return { error: invalid(message, error), lostConnection: false };
  }
  if (stage === "waiting" && isNoHttp(error)) {
    const message = `The upstream of ${upstream} sent an answer that is not valid HTTP (${causeOf(error)}).`;
    return { error: invalid(message, error), lostConnection: false };
  }
  const what =
    stage === "connecting" ? "could not be reached" : "closed the connection before it answered";
  const message = `The upstream of ${upstream} ${what} (${causeOf(error)}).`;
  return {
    error: new GatewayError("upstream_unreachable", message, { cause: error }),
    lostConnection: true,
  };
}

/**
 * This machine ran out of file descriptors, ports or memory: nothing was sent, and no upstream is to blame.
 */
const ownShortages: ReadonlySet<unknown> = new Set([
  "EMFILE",
  "ENFILE",
  "EADDRNOTAVAIL",
  "ENOBUFS",
]);

const isOwnShortage = (error: Error): boolean => "code" in error && ownShortages.has(error.code);

function invalid(message: string, cause: Error): GatewayError {
  return new GatewayError("upstream_invalid_response", message, { cause });
}

function isNoHttp(error: Error): boolean {
  return (
    error instanceof errors.HTTPParserError ||
    error instanceof errors.HeadersOverflowError ||
    error instanceof errors.ResponseContentLengthMismatchError ||
    // How undici reports an unexpected answer, such as an upgrade that was not requested.
    (error instanceof errors.SocketError && error.message.startsWith("bad "))
  );
}

/** The system's error code is most telling; undici's own errors say more in their message. */
function causeOf(error: Error): string {
  if (error instanceof errors.UndiciError) return error.message;
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}

/**
 * The error in place of a redirect, which clients would follow past the gateway. It names the target without its credentials and query.
 * @param replica the URL that was asked
 */
export function redirectError(
  model: string,
  replica: string,
  status: number,
  { location }: IncomingHttpHeaders,
): GatewayError {
  const target = location === undefined ? null : URL.parse(location, `${replica}/`);
  const where = target === null ? "elsewhere" : `to ${target.origin}${target.pathname}`;
  return new GatewayError(
    "upstream_invalid_response",
    `The upstream of model '${model}' at ${replica} redirects requests (${status}) ${where}. Set base_url so that it answers them itself.`,
    { retryable: false },
  );
}
