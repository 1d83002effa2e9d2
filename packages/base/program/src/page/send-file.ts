import type { IncomingMessage, ServerResponse } from "node:http";
import type { StaticFile } from "./static-file.ts";

/**
 * Answers GET and HEAD with a file: 304 if the caller has it, compressed if the caller accepts that.
 * @param headers sent with 200 and with 304, such as `cache-control`
 */
export function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: StaticFile,
  headers: Readonly<Record<string, string>> = {},
): void {
  const shared = {
    ...headers,
    etag: file.etag,
    vary: "accept-encoding",
    ...(file.modified === null ? {} : { "last-modified": file.modified.toUTCString() }),
  };
  if (isFresh(request, file)) {
    response.writeHead(304, shared);
    return void response.end();
  }
  const { body, coding } = packed(file, request.headers["accept-encoding"]);
  response.writeHead(200, {
    ...shared,
    "content-type": file.type,
    "content-length": body.length,
    ...(coding === null ? {} : { "content-encoding": coding }),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

/** Whether the caller already has the file; a tag outranks a time (RFC 9110, section 13.2.2). */
function isFresh({ headers }: IncomingMessage, { etag, modified }: StaticFile): boolean {
  if (headers["if-none-match"] !== undefined) return isKnown(headers["if-none-match"], etag);
  const since = Date.parse(headers["if-modified-since"] ?? "");
  return modified !== null && Math.floor(modified.getTime() / 1000) * 1000 <= since;
}

/** RFC 9110, section 13.1.2, with the weak comparison of section 8.8.3.2, because caches may weaken tags. */
export function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, "");
  return header.trim() === "*" || header.split(",").some((tag) => opaque(tag) === opaque(etag));
}

function packed({ body, gzip, brotli }: StaticFile, header = "") {
  const codings = header.toLowerCase().split(",");
  const takes = (name: string): boolean =>
    codings.some((coding) => {
      const [token = "", ...parameters] = coding.split(";").map((part) => part.trim());
      return token === name && !parameters.some((part) => /^q=0(?:\.0*)?$/.test(part));
    });
  if (brotli !== null && takes("br")) return { body: brotli, coding: "br" };
  if (gzip !== null && (takes("gzip") || takes("x-gzip"))) return { body: gzip, coding: "gzip" };
  return { body, coding: null };
}
