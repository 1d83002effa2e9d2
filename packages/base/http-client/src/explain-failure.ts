import { type AskedFor, ConnectionError, HttpError, InvalidAnswerError } from "./http-errors.ts";

interface SystemError {
  readonly code?: unknown;
  readonly syscall?: unknown;
}

/** Turns an error of `fetch` into one of ours; browsers do not say what went wrong. */
export function explainFailure(error: unknown, asked: AskedFor): unknown {
  if (error instanceof HttpError || !isOfFetch(error)) return error;
  const { cause } = error;
  // With several addresses for a host, the error contains one failure per address.
  const failures: readonly SystemError[] =
    cause instanceof AggregateError ? cause.errors : cause instanceof Error ? [cause] : [];
  const given = cause instanceof Error && "code" in cause ? String(cause.code) : "ERR_NETWORK";
  // Undici's code for a connection that the other side closed.
  const code = given === "UND_ERR_SOCKET" ? "ECONNRESET" : given;
  if (cause instanceof Error && cause.name === "HTTPParserError")
    return new InvalidAnswerError(
      asked,
      `answered with something that is not HTTP: ${cause.message}`,
      cause,
    );
  // Errors of the decompressors.
  if (/^(?:Z_|ZSTD_|ERR__ERROR)/.test(code))
    return new InvalidAnswerError(asked, `sent a body that cannot be decoded (${code})`, cause);
  const wasNeverSent = failures.length > 0 && failures.every(isOfConnecting);
  return new ConnectionError(asked, code, wasNeverSent, cause ?? error);
}

/** The standard says TypeError; Workers throw plain errors. */
const isOfFetch = (error: unknown): error is Error =>
  error instanceof TypeError || (error instanceof Error && error.name === "Error");

const isOfConnecting = ({ syscall }: SystemError): boolean =>
  syscall === "connect" || syscall === "getaddrinfo";
