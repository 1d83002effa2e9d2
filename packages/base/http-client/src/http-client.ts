import axiosRetry from "axios-retry";
import axios from "#axios";
import { openConnections } from "#connections";
import { createAdapter } from "./adapter.ts";
import { explainFailure, type HttpAnswer, readAnswer } from "./answer.ts";
import type { HttpClientOptions, RequestOptions } from "./call-options.ts";
import { encodeFields, maskedUrl } from "./request-url.ts";
import { retryPolicy } from "./retry.ts";

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
  const http = axios.create({
    ...{ maxRedirects: 0, responseType: "text", transformResponse: [], withXSRFToken: false },
    // A browser hides a redirect behind the status 0.
    validateStatus: (status) => (status >= 200 && status < 300) || status === 304 || status === 0,
  });
  axiosRetry(http);

  const request: HttpClient["request"] = async (method, path, options = {}) => {
    if (!path.startsWith("/")) throw new TypeError(`${path} does not start with a slash`);
    const url = new URL(baseUrl + path);
    for (const field of encodeFields(options.query)) url.searchParams.append(...field);
    const asked = { method, url: maskedUrl(url) };
    const timeout = options.timeoutMs ?? defaults.timeoutMs ?? 30_000;
    const maxContentLength = options.maxResponseBytes ?? defaults.maxResponseBytes ?? 16 * 2 ** 20;
    const signal = AbortSignal.any([closing.signal, ...(options.signal ? [options.signal] : [])]);
    let own: { readonly error: unknown } | null = null;
    const explain = (error: unknown): unknown => {
      if (own !== null) return own.error;
      return axios.isCancel(error) ? signal.reason : explainFailure(error, asked);
    };
    const fail = (error: unknown): void => {
      own = { error };
    };
    try {
      const answer = await http.request({
        ...{ method, timeout, maxContentLength },
        adapter: createAdapter({
          ...{ url, connections, defaults: defaults.headers, options, signal, fail },
        }),
        "axios-retry": retryPolicy(
          options.retry ?? defaults.retry ?? {},
          options.idempotent ?? !/^(?:POST|PATCH)$/.test(method),
          explain,
        ),
      });
      return readAnswer(answer, options.read ?? "json", asked);
    } catch (error) {
      throw explain(error);
    }
  };
  const close = (): void => {
    closing.abort(new Error(`the client of ${base.host} is closed`));
    connections.close();
  };
  return { baseUrl, request, close, [Symbol.dispose]: close };
}
