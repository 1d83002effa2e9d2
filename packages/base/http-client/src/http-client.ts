import { openConnections } from "#connections";
import { type Exchange, exchange, type HttpAnswer } from "./exchange.ts";
import { onAbort } from "./on-abort.ts";
import { encodeFields, type Fields } from "./request-url.ts";
import { type RetryOptions, withRetries } from "./retry.ts";

type Headers = Readonly<Record<string, string>>;

export interface CallOptions {
  /** A function is called for each attempt. */
  readonly headers?: Headers | (() => Headers | Promise<Headers>) | undefined;
  /** For one attempt, up to the end of its answer, in milliseconds; 0: no limit. @default 30_000 */
  readonly timeoutMs?: number | undefined;
  /** Largest answer body, decoded. @default 16 MiB */
  readonly maxResponseBytes?: number | undefined;
  /** Applies to idempotent calls, and to those that could not be sent at all. */
  readonly retry?: RetryOptions | false | undefined;
}

export interface HttpClientOptions extends CallOptions {
  /** `http(s)://host[:port][/prefix]` */
  readonly baseUrl: string;
}

/** Take precedence over the client's options; headers are added to the client's. */
export interface RequestOptions extends CallOptions {
  readonly query?: Fields | undefined;
  /** A body, as JSON. */
  readonly json?: unknown;
  /** A body, as application/x-www-form-urlencoded. */
  readonly form?: Fields | undefined;
  /** A body that is read while it is sent; called for each attempt. Set its `content-type` in `headers`. */
  readonly stream?: (() => AsyncIterable<string | Uint8Array>) | undefined;
  /** How to read the answer. @default "json" */
  readonly read?: "json" | "text" | undefined;
  /** Whether the call may be carried out twice. @default true, except for POST and PATCH */
  readonly idempotent?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpClient extends Disposable {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /**
   * @param path appended to the base URL; starts with a slash, and may have a query
   * @throws HttpError, or the signal's reason
   */
  request(method: Method, path: string, options?: RequestOptions): Promise<HttpAnswer>;
  /** Aborts pending calls, and closes every connection. */
  close(): void;
}

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

/** @throws TypeError `baseUrl` is not an http(s) URL, or has a query or a fragment */
export function createHttpClient(defaults: HttpClientOptions): HttpClient {
  const base = URL.canParse(defaults.baseUrl) ? new URL(defaults.baseUrl) : null;
  if (base === null || !/^https?:$/.test(base.protocol) || base.search !== "" || base.hash !== "")
    throw new TypeError("baseUrl must be of the form http(s)://host[:port][/prefix]");
  const baseUrl = base.href.replace(/(?<!\/)\/+$/, "");
  const connections = openConnections();
  const closing = new AbortController();

  const request: HttpClient["request"] = async (method, path, options = {}) => {
    if (!path.startsWith("/")) throw new TypeError(`${path} does not start with a slash`);
    const url = new URL(baseUrl + path);
    for (const field of encodeFields(options.query)) url.searchParams.append(...field);
    const ended = new AbortController();
    const links = [closing.signal, ...(options.signal ? [options.signal] : [])].map((signal) =>
      onAbort(signal, () => ended.abort(signal.reason)),
    );
    const attempt = async (): Promise<HttpAnswer> => {
      const headers = { ...(await given(defaults.headers)), ...(await given(options.headers)) };
      const encoded = encodeBody(method, options);
      return exchange(connections, url, {
        ...{ method, signal: ended.signal, body: encoded.body },
        headers: { ...headers, ...encoded.headers },
        read: options.read ?? "json",
        timeoutMs: options.timeoutMs ?? defaults.timeoutMs ?? 30_000,
        maxResponseBytes: options.maxResponseBytes ?? defaults.maxResponseBytes ?? 16 * 2 ** 20,
      });
    };
    try {
      const retry = options.retry ?? defaults.retry ?? {};
      const isIdempotent = options.idempotent ?? !/^(?:POST|PATCH)$/.test(method);
      return await withRetries(attempt, retry || { retries: 0 }, isIdempotent, ended.signal);
    } finally {
      for (const unlink of links) unlink();
    }
  };
  const close = (): void => {
    closing.abort(new Error(`the client of ${base.host} is closed`));
    connections.close();
  };
  return { baseUrl, request, close, [Symbol.dispose]: close };
}

const given = async (headers: CallOptions["headers"] = {}): Promise<Headers> =>
  typeof headers === "function" ? headers() : headers;

function encodeBody(
  method: Method,
  { json, form, stream }: RequestOptions,
): Pick<Exchange, "headers" | "body"> {
  if (stream !== undefined) return { headers: {}, body: stream() };
  const encoded = (type: string, body: string) => ({
    headers: { "content-type": type },
    // `fetch` allows no body with GET and HEAD, not even an empty one.
    body: body === "" && /^(?:GET|HEAD)$/.test(method) ? null : body,
  });
  if (form !== undefined)
    return encoded("application/x-www-form-urlencoded", `${encodeFields(form)}`);
  if (json !== undefined) return encoded("application/json", JSON.stringify(json));
  return { headers: {}, body: null };
}
