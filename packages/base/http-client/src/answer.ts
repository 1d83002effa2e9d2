import type { AxiosResponse } from "axios";
import axios from "#axios";
import {
  ApiError,
  type AskedFor,
  ConnectionError,
  InvalidAnswerError,
  TimeoutError,
} from "./http-errors.ts";

export interface HttpAnswer {
  /** 2xx or 304; redirects are not followed. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; text if `read` is `text`; null if there is no body. */
  readonly body: unknown;
}

/** @throws InvalidAnswerError */
export function readAnswer(
  answer: AxiosResponse<string>,
  read: "json" | "text",
  asked: AskedFor,
): HttpAnswer {
  const { status, data } = answer;
  if (status === 0) throw new InvalidAnswerError(asked, "answered with a redirect");
  const headers = headersOf(answer);
  const body = read === "text" ? data || null : parseJson(data);
  if (body !== undefined) return { status, headers, body };
  const type = headers["content-type"] ?? "no content-type";
  throw new InvalidAnswerError(asked, `answered ${status} with a body that is not JSON (${type})`);
}

/** Turns an error of axios into one of ours; browsers do not say what went wrong. */
export function explainFailure(error: unknown, asked: AskedFor): unknown {
  if (!axios.isAxiosError<string>(error)) return error;
  const { response, config } = error;
  if (response) {
    const body = parseJson(response.data);
    const { status, data } = response;
    return new ApiError(asked, {
      ...{ status, headers: headersOf(response), body: body === undefined ? data : body },
    });
  }
  if (error.code === "ETIMEDOUT")
    return new TimeoutError(asked, `did not answer within ${config?.timeout} ms`);
  if (error.code === "ERR_BAD_RESPONSE")
    return new InvalidAnswerError(asked, `answered more than ${config?.maxContentLength} bytes`);
  return explainCause(causeOf(error), asked);
}

/** The system's error, without the layers of axios and `fetch`, which know the request's headers. */
function causeOf({ cause }: Error): unknown {
  return cause instanceof TypeError && cause.cause ? cause.cause : cause;
}

function explainCause(cause: unknown, asked: AskedFor): unknown {
  const given = cause instanceof Error && "code" in cause ? String(cause.code) : "ERR_NETWORK";
  if (cause instanceof Error && cause.name === "HTTPParserError") {
    const what = `answered with something that is not HTTP: ${cause.message}`;
    return new InvalidAnswerError(asked, what, cause);
  }
  // Errors of the decompressors.
  if (/^(?:Z_|ZSTD_|ERR__ERROR)/.test(given))
    return new InvalidAnswerError(asked, `sent a body that cannot be decoded (${given})`, cause);
  // With several addresses for a host, the error contains one failure per address.
  const failures: readonly unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  const neverSent = failures.every((one) => /^(?:connect|getaddrinfo)$/.test(Object(one).syscall));
  // Undici's code for a connection that the other side closed.
  const code = given === "UND_ERR_SOCKET" ? "ECONNRESET" : given;
  return new ConnectionError(asked, code, neverSent, cause);
}

const headersOf = ({ headers }: AxiosResponse): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** Null: the text is empty. Undefined: the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return text.trim() === "" ? null : JSON.parse(text);
  } catch {
    return undefined;
  }
}
