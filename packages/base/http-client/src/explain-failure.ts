import axios from "#axios";
import { headersOf, parseJson } from "./answer.ts";
import {
  ApiError,
  type AskedFor,
  ConnectionError,
  type HttpError,
  InvalidAnswerError,
  TimeoutError,
} from "./http-errors.ts";

/** Turns an error of axios into one of ours; browsers do not say what went wrong. */
export function explainFailure(error: unknown, asked: AskedFor): unknown {
  if (!axios.isAxiosError<string>(error)) return error;
  const { response, config, code, cause } = error;
  if (response) {
    const { status, data } = response;
    const body = parseJson(data);
    const headers = headersOf(response);
    return new ApiError(asked, { status, headers, body: body === undefined ? data : body });
  }
  if (code === "ETIMEDOUT")
    return new TimeoutError(asked, `did not answer within ${config?.timeout} ms`);
  if (code === "ERR_BAD_RESPONSE")
    return new InvalidAnswerError(asked, `answered more than ${config?.maxContentLength} bytes`);
  // The system's error, without the layers of axios and `fetch`, which know the request's headers.
  return explainCause(cause instanceof TypeError && cause.cause ? cause.cause : cause, asked);
}

function explainCause(cause: unknown, asked: AskedFor): HttpError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "ERR_NETWORK";
  if (cause instanceof Error && cause.name === "HTTPParserError") {
    const what = `answered with something that is not HTTP: ${cause.message}`;
    return new InvalidAnswerError(asked, what, cause);
  }
  // Errors of the decompressors.
  if (/^(?:Z_|ZSTD_|ERR__ERROR)/.test(code))
    return new InvalidAnswerError(asked, `sent a body that cannot be decoded (${code})`, cause);
  // With several addresses for a host, the error contains one failure per address.
  const failures: readonly unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  const neverSent = failures.every((one) => /^(?:connect|getaddrinfo)$/.test(Object(one).syscall));
  // Undici's code for a connection that the other side closed.
  const shown = code === "UND_ERR_SOCKET" ? "ECONNRESET" : code;
  return new ConnectionError(asked, shown, neverSent, cause);
}
