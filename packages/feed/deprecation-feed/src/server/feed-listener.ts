import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { packFile, pageHeaders, sendFile } from "@proj/program/page";
import type { Provider } from "../notice/notice.ts";
import { filteredFile } from "./filtered-file.ts";
import { Problem } from "./problem.ts";
import type { PublishedSite } from "./published-site.ts";

export interface FeedListenerOptions {
  readonly site: PublishedSite;
  readonly providers: readonly Provider[];
  /** Public base URL, for the URLs in filtered feeds; with a trailing slash. */
  readonly base_url: string;
  /** Gets the errors that readers only see as status 500. */
  readonly onError?: (error: unknown) => void;
}

/** For how many seconds an answer may be cached. */
const maxAge = 300;
/** Smaller answers are not worth compressing. */
const leastPackedBytes = 1024;

const commonHeaders: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "etag, last-modified",
  ...pageHeaders(),
};

/** Serves the published files, and the feeds filtered by `?provider=` and `?model=`. */
export function feedListener(options: FeedListenerOptions): RequestListener {
  return (request, response) => {
    // No path here takes a body.
    request.resume();
    answer(options, request, response).catch((error: unknown) => {
      if (!(error instanceof Problem)) options.onError?.(error);
      if (response.headersSent) return void response.destroy();
      const problem =
        error instanceof Problem ? error : new Problem(500, "The feed cannot be read.");
      const body = JSON.stringify(problem);
      response.writeHead(problem.status, {
        ...commonHeaders,
        ...problem.headers,
        "content-type": "application/problem+json",
        "content-length": Buffer.byteLength(body),
      });
      response.end(request.method === "HEAD" ? undefined : body);
    });
  };
}

async function answer(
  options: FeedListenerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = "", url: target = "/" } = request;
  if (method === "OPTIONS") {
    response.writeHead(204, {
      ...commonHeaders,
      allow: "GET, HEAD, OPTIONS",
      "access-control-allow-methods": "GET, HEAD, OPTIONS",
      "access-control-allow-headers": "if-none-match, if-modified-since",
      "access-control-max-age": "86400",
    });
    return void response.end();
  }
  if (method !== "GET" && method !== "HEAD") {
    const headers = { allow: "GET, HEAD, OPTIONS" };
    throw new Problem(405, `Read files here with GET, not ${method}.`, headers);
  }
  const url = URL.parse(target, "http://feed.invalid");
  if (url === null) throw new Problem(400, "The request target is not a URL.");
  const snapshot = await options.site.snapshot();
  if (snapshot === null) {
    const message = "The first run has not finished yet, so there is no feed.";
    throw new Problem(503, message, { "retry-after": "30" });
  }
  const path = url.pathname === "/" ? "index.html" : url.pathname.slice(1);
  const file =
    filteredFile(path, url.searchParams, snapshot.state, options) ?? snapshot.files.get(path);
  if (file === undefined) throw new Problem(404, `There is nothing at ${url.pathname}.`);
  // An answer made for one request is compressed for it.
  const isLarge = file.gzip === null && file.body.length >= leastPackedBytes;
  sendFile(request, response, isLarge ? await packFile(file) : file, {
    ...commonHeaders,
    "cache-control": `public, max-age=${maxAge}`,
  });
}
