/** The URL is without credentials. */
export type AskedFor = Pick<HttpError, "method" | "url">;

/** A call that failed: one of the classes below. */
export abstract class HttpError extends Error {
  readonly method: string;
  readonly url: string;
  /** Whether the same call may succeed later. */
  abstract readonly isRetryable: boolean;

  constructor({ method, url }: AskedFor, what: string, cause?: unknown) {
    super(`${method} ${url} ${what}`, { cause });
    this.method = method;
    this.url = url;
  }
}

/** The server answered with a status other than 2xx and 304. */
export class ApiError extends HttpError {
  override readonly name = "ApiError";
  readonly isRetryable: boolean;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed if it is JSON, else text; null if there was none. */
  readonly body: unknown;
  /** The code in an OpenAI-style body or a problem document (RFC 9457). */
  readonly code: string | null;
  /** The message for people in the body. */
  readonly detail: string | null;
  readonly retryAfterMs: number | null;

  constructor(asked: AskedFor, answer: Pick<ApiError, "status" | "headers" | "body">) {
    const { status, headers, body } = answer;
    const { error, ...outer } = record(body);
    const said = { ...outer, ...(typeof error === "string" ? { error } : record(error)) };
    const code = firstText(said.code, said.type);
    const detail = firstText(said.message, said.detail, said.title, said.error);
    super(asked, [`answered ${status}`, code, detail].filter((part) => part !== null).join(": "));
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.code = code;
    this.detail = detail;
    this.retryAfterMs = retryAfterMs(headers);
    const told = headers["x-should-retry"];
    const isPassing = [408, 425, 429].includes(status) || status >= 500;
    this.isRetryable = told === "true" || (told !== "false" && isPassing);
  }
}

/** No connection, or it broke before the answer was complete. */
export class ConnectionError extends HttpError {
  override readonly name = "ConnectionError";
  override readonly isRetryable = true;
  /** The system's code, such as `ECONNREFUSED`. */
  readonly code: string;
  /** There never was a connection, so any call may be retried. */
  readonly neverSent: boolean;

  constructor(asked: AskedFor, code: string, neverSent: boolean, cause?: unknown) {
    super(asked, `${neverSent ? "cannot connect" : "connection failed"} (${code})`, cause);
    this.code = code;
    this.neverSent = neverSent;
  }
}

/** The answer was not complete in time. */
export class TimeoutError extends HttpError {
  override readonly name = "TimeoutError";
  override readonly isRetryable = true;
}

/** The answer is not HTTP, not JSON, too large, or not an answer of the API. */
export class InvalidAnswerError extends HttpError {
  override readonly name = "InvalidAnswerError";
  override readonly isRetryable = false;
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {};

const firstText = (...values: readonly unknown[]): string | null =>
  values.find((value): value is string => typeof value === "string" && value !== "") ?? null;

/** The delay that `retry-after-ms` or `Retry-After` (RFC 9110, section 10.2.3) asks for; null: none. */
export function retryAfterMs(headers: Readonly<Record<string, string>>): number | null {
  const { "retry-after-ms": milliseconds = "", "retry-after": after = "" } = headers;
  if (number.test(milliseconds)) return Number(milliseconds);
  if (number.test(after)) return 1_000 * Number(after);
  const date = Date.parse(after);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

const number = /^\d+(\.\d+)?$/;

const secretName = /(?:password|passwd|pwd|secret|token|key|signature|sig|auth|credentials?)$/i;

/** The URL as errors show it: without credentials. */
export function maskedUrl(url: URL): string {
  const shown = new URL(url);
  if (shown.username !== "") shown.username = "***";
  if (shown.password !== "") shown.password = "***";
  for (const name of new Set(shown.searchParams.keys())) {
    if (secretName.test(name)) shown.searchParams.set(name, "***");
  }
  return shown.href;
}
