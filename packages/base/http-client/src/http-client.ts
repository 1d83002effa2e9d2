import axiosRetry from "axios-retry";
import axios from "#axios";
import { openConnections } from "#connections";
import { type HttpAnswer, readAnswer } from "./answer.ts";
import { bodyStream } from "./body-stream.ts";
import type { CallOptions, Fields, HttpClientOptions, RequestOptions } from "./call-options.ts";
import { explainFailure } from "./explain-failure.ts";
import { maskedUrl } from "./http-errors.ts";
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
  const connections = openConnections(base);
  const closing = new AbortController();
  const http = axios.create({
    ...connections.config,
    ...{ maxRedirects: 0, responseType: "text", withXSRFToken: false },
    ...{ transformRequest: [], transformResponse: [] },
    // A browser hides a redirect behind the status 0.
    validateStatus: (status) => (status >= 200 && status < 300) || status === 304 || status === 0,
  });
  axiosRetry(http);
  const send = axios.getAdapter("fetch", connections.config);

  const request: HttpClient["request"] = async (method, path, options = {}) => {
    if (!path.startsWith("/")) throw new TypeError(`${path} does not start with a slash`);
    const url = new URL(baseUrl + path);
    for (const field of encodeFields(options.query)) url.searchParams.append(...field);
    const asked = { method, url: maskedUrl(url) };
    const signal = AbortSignal.any([closing.signal, ...(options.signal ? [options.signal] : [])]);
    let broken: { readonly error: unknown } | null = null;
    const fail = (error: unknown): void => {
      broken = { error };
    };
    const explain = (error: unknown): unknown => {
      if (broken !== null) return broken.error;
      return axios.isCancel(error) ? signal.reason : explainFailure(error, asked);
    };
    const [type, text] = encodeBody(options);
    try {
      const answer = await http.request({
        method,
        timeout: options.timeoutMs ?? defaults.timeoutMs ?? 30_000,
        maxContentLength: options.maxResponseBytes ?? defaults.maxResponseBytes ?? 16 * 2 ** 20,
        // What follows is made for each attempt.
        adapter: async (config) => {
          const own = await Promise.all([given(defaults.headers), given(options.headers)]);
          const headers = axios.AxiosHeaders.concat({ "content-type": type }, ...own);
          // The platform's own: in a browser, another one makes it ask the server for permission first.
          headers.set("user-agent", false, false);
          const target = new URL(url);
          // Else they become this header.
          if (headers.has("authorization")) Object.assign(target, { username: "", password: "" });
          const body = options.stream ? bodyStream(options.stream(), fail) : null;
          try {
            const data = body?.stream ?? text;
            return await send({ ...config, url: target.href, headers, data, signal });
          } finally {
            body?.end();
          }
        },
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

const given = async (headers: CallOptions["headers"]): Promise<Record<string, string>> => ({
  ...(typeof headers === "function" ? await headers() : headers),
});

function encodeFields(fields: Fields = {}): URLSearchParams {
  const encoded = new URLSearchParams();
  // Names are kept as they are: axios would take the brackets off `ids[]`.
  for (const [name, value] of Object.entries(fields))
    for (const item of [value ?? []].flat()) encoded.append(name, String(item));
  return encoded;
}

/** The content type, null if the caller sets it, and the text; `fetch` allows no body with GET, not even an empty one. */
function encodeBody({ json, form, text }: RequestOptions): [string | null, string | null] {
  if (text !== undefined) return [null, text || null];
  if (form !== undefined)
    return ["application/x-www-form-urlencoded", `${encodeFields(form)}` || null];
  return json === undefined ? [null, null] : ["application/json", JSON.stringify(json)];
}
