import { Readable } from "node:stream";
import axios, { type AxiosError, type AxiosRequestConfig, isAxiosError } from "axios";
import {
  ApiError,
  type AskedFor,
  ConnectionError,
  type HttpError,
  InvalidAnswerError,
  TimeoutError,
} from "./http-errors.ts";
import { isLoopback, maskedUrl } from "./request-url.ts";

export interface HttpAnswer {
  /** 2xx or 304; redirects are not followed. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or text where that was asked for; null where there is none. */
  readonly body: unknown;
}

export interface Exchange extends AxiosRequestConfig<string | Readable | undefined> {
  readonly method: string;
  readonly read: "json" | "text";
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Sends a request once. @throws HttpError, or the signal's reason */
export async function exchange(url: URL, config: Exchange): Promise<HttpAnswer> {
  const { read, timeoutMs, ...request } = config;
  const { data } = request;
  const asked = { method: request.method, url: maskedUrl(url) };
  const timeout = timeoutMs > 0 ? [AbortSignal.timeout(timeoutMs)] : [];
  const response = await axios
    .request<Buffer>({
      ...request,
      url: url.href,
      responseType: "arraybuffer",
      maxRedirects: 0,
      validateStatus: null,
      signal: AbortSignal.any([request.signal, ...timeout]),
      ...(isLoopback(url) ? { proxy: false } : {}),
    })
    .catch((error: unknown) => {
      if (data instanceof Readable && data.errored !== null) throw data.errored;
      request.signal.throwIfAborted();
      if (timeout[0]?.aborted) throw new TimeoutError(asked, `had no answer in ${timeoutMs} ms`);
      throw isAxiosError(error) ? explain(error, asked) : error;
    })
    .finally(() => data instanceof Readable && data.destroy());
  // An answer that came before the body was sent; its connection is of no further use.
  if (data instanceof Readable && !data.readableEnded) response.request.destroy();
  const { status } = response;
  const fields = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  const headers: HttpAnswer["headers"] = Object.fromEntries(fields);
  const isAnswer = (status >= 200 && status < 300) || status === 304;
  const text = new TextDecoder().decode(response.data);
  const body = isAnswer && read === "text" ? text || null : parseJson(text);
  if (!isAnswer)
    throw new ApiError(asked, { status, headers, body: body === undefined ? text : body });
  if (body !== undefined) return { status, headers, body };
  const type = headers["content-type"] ?? "no content-type";
  throw new InvalidAnswerError(asked, `answered ${status} with no JSON (${type})`);
}

/** Null: the text is empty. Undefined: it is no JSON. */
function parseJson(text: string): unknown {
  try {
    return text.trim() === "" ? null : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function explain({ cause, message, config }: AxiosError, asked: AskedFor): HttpError {
  if (message.startsWith("maxContentLength"))
    return new InvalidAnswerError(asked, `answered more than ${config?.maxContentLength} bytes`);
  // A host with several addresses fails with the failures of all.
  const failures: NodeJS.ErrnoException[] = cause instanceof AggregateError ? cause.errors : [];
  const { code = "ECONNRESET" }: NodeJS.ErrnoException = cause ?? new Error();
  // Of the HTTP parser and the decompressors.
  if (/^(?:HPE_|Z_|ZSTD_|ERR__ERROR)/.test(code))
    return new InvalidAnswerError(asked, `answered what cannot be read (${code})`, cause);
  const wasNeverSent = (failures.length > 0 ? failures : [cause ?? new Error()]).every(
    isOfConnecting,
  );
  return new ConnectionError(asked, code, wasNeverSent, cause);
}

const isOfConnecting = ({ syscall = "" }: NodeJS.ErrnoException): boolean =>
  syscall === "connect" || syscall === "getaddrinfo";
