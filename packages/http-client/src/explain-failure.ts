import { type AskedFor, ConnectionError, HttpError, InvalidAnswerError } from "./http-errors.ts";

interface SystemError {
  readonly code?: unknown;
  readonly syscall?: unknown;
}

/** What `fetch` failed with, as one of our errors; browsers say nothing of why. */
export function explainFailure(error: unknown, asked: AskedFor): unknown {
  if (error instanceof HttpError || !isOfFetch(error)) return error;
  const { cause } = error;
  // A host with several addresses fails with the failures of all.
  const failures: readonly SystemError[] =
    cause instanceof AggregateError ? cause.errors : cause instanceof Error ? [cause] : [];
  const given = cause instanceof Error && "code" in cause ? String(cause.code) : "ERR_NETWORK";
  // Undici's name for a connection that the other side has closed.
  const code = given === "UND_ERR_SOCKET" ? "ECONNRESET" : given;
  if (cause instanceof Error && cause.name === "HTTPParserError")
    return new InvalidAnswerError(asked, `answered what is not HTTP: ${cause.message}`, cause);
  // Of the decompressors.
  if (/^(?:Z_|ZSTD_|ERR__ERROR)/.test(code))
    return new InvalidAnswerError(asked, `answered what cannot be read (${code})`, cause);
  const wasNeverSent = failures.length > 0 && failures.every(isOfConnecting);
  return new ConnectionError(asked, code, wasNeverSent, cause ?? error);
}

/** By the standard it is a TypeError; Workers throw plain errors. */
const isOfFetch = (error: unknown): error is Error =>
  error instanceof TypeError || (error instanceof Error && error.name === "Error");

const isOfConnecting = ({ syscall }: SystemError): boolean =>
  syscall === "connect" || syscall === "getaddrinfo";
