import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Provider } from "../notice.ts";
import { filteredFile } from "./filtered-file.ts";
import { Problem } from "./problem.ts";
import type { PublishedSite, SiteFile } from "./published-site.ts";

export interface FeedListenerOptions {
  readonly site: PublishedSite;
  readonly providers: readonly Provider[];
  /** Where it is reached, for the addresses in filtered feeds; with a slash at its end. */
  readonly base_url: string;
  /** Is told of what a reader only hears of as status 500. */
  readonly onError?: (error: unknown) => void;
}

/** Seconds that an answer may be used without asking again. */
const maxAge = 300;

const commonHeaders: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "etag",
  "x-content-type-options": "nosniff",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** Serves the published files, and the feeds filtered by `?provider=` and `?model=`. */
export function feedListener(options: FeedListenerOptions): RequestListener {
  return (request, response) => {
    // Nothing that is served here takes a body.
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
      "access-control-allow-headers": "if-none-match",
      "access-control-max-age": "86400",
    });
    return void response.end();
  }
  if (method !== "GET" && method !== "HEAD") {
    const headers = { allow: "GET, HEAD, OPTIONS" };
    throw new Problem(405, `Everything here is read with GET, not ${method}.`, headers);
  }
  const url = URL.parse(target, "http://feed.invalid");
  if (url === null) throw new Problem(400, "The request's target is no address.");
  const snapshot = await options.site.snapshot();
  if (snapshot === null) {
    const message = "The first run has not ended yet; there is no feed so far.";
    throw new Problem(503, message, { "retry-after": "30" });
  }
  const path = url.pathname === "/" ? "index.html" : url.pathname.slice(1);
  const file =
    filteredFile(path, url.searchParams, snapshot.state, options) ?? snapshot.files.get(path);
  if (file === undefined) throw new Problem(404, `There is no ${url.pathname} here.`);
  send(request, response, file);
}

function send(request: IncomingMessage, response: ServerResponse, file: SiteFile): void {
  const headers = {
    ...commonHeaders,
    etag: file.etag,
    "cache-control": `public, max-age=${maxAge}`,
    vary: "accept-encoding",
  };
  if (matches(request.headers["if-none-match"], file.etag)) {
    response.writeHead(304, headers);
    return void response.end();
  }
  const isPacked = file.gzip !== null && acceptsGzip(request.headers["accept-encoding"]);
  const body = isPacked && file.gzip !== null ? file.gzip : file.body;
  response.writeHead(200, {
    ...headers,
    "content-type": file.type,
    "content-length": body.length,
    ...(isPacked ? { "content-encoding": "gzip" } : {}),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

/** The weak comparison of RFC 9110, section 8.8.3.2. */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, "");
  return header.trim() === "*" || header.split(",").some((tag) => opaque(tag) === opaque(etag));
}

function acceptsGzip(header = ""): boolean {
  return header
    .toLowerCase()
    .split(",")
    .some((coding) => /^\s*(?:gzip|x-gzip)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)[\d.]+\s*)?$/.test(coding));
}
