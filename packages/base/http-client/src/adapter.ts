import type { AxiosAdapter } from "axios";
import axios from "#axios";
import type { openConnections } from "#connections";
import { bodyStream } from "./body-stream.ts";
import type { CallOptions, RequestOptions } from "./call-options.ts";
import { encodeFields } from "./request-url.ts";

export interface Sending {
  readonly url: URL;
  readonly connections: ReturnType<typeof openConnections>;
  readonly defaults: CallOptions["headers"];
  readonly options: RequestOptions;
  readonly signal: AbortSignal;
  /** Is told of errors of the caller's own headers and stream. */
  readonly fail: (error: unknown) => void;
}

/** Sends a call with axios's `fetch` adapter; headers and a streamed body are made for each attempt. */
export const createAdapter =
  ({ url, connections, defaults, options, signal, fail }: Sending): AxiosAdapter =>
  async (config) => {
    const own = await Promise.all([given(defaults), given(options.headers)]).catch((error) => {
      fail(error);
      throw error;
    });
    const headers = axios.AxiosHeaders.concat(...own);
    const [type, text] = encodeBody(options);
    if (type !== null) headers.set("content-type", type);
    // The platform's own: in a browser, another one makes it ask the server for permission first.
    headers.set("user-agent", false, false);
    const target = new URL(url);
    // Else they become this header.
    if (headers.has("authorization")) Object.assign(target, { username: "", password: "" });
    const body = options.stream ? bodyStream(options.stream(), fail) : null;
    // `fetch` allows no body with GET and HEAD, not even an empty one.
    const data = body?.stream ?? (/^(?:get|head)$/i.test(`${config.method}`) ? text || null : text);
    const request = { url: target.href, headers, data, signal };
    const sent = { ...config, ...connections.options(url), ...request };
    try {
      return await axios.getAdapter("fetch", sent)(sent);
    } finally {
      body?.end();
    }
  };

const given = async (headers: CallOptions["headers"] = {}): Promise<Record<string, string>> => ({
  ...(typeof headers === "function" ? await headers() : headers),
});

/** The content type and the text. */
function encodeBody({ json, form, text, stream }: RequestOptions): [string | null, string | null] {
  if (stream !== undefined) return [null, null];
  if (text !== undefined) return [null, text];
  if (form !== undefined) return ["application/x-www-form-urlencoded", `${encodeFields(form)}`];
  return json === undefined ? [null, null] : ["application/json", JSON.stringify(json)];
}
