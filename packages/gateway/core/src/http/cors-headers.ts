import type { IncomingMessage } from "node:http";

/** Headers that let pages of an allowed origin read an answer: names and values in turn. */
export function corsHeaders(origin: string | null): string[] {
  if (origin === null) return [];
  return [
    "access-control-allow-origin",
    origin,
    // All of them: callers also read the upstream's own.
    "access-control-expose-headers",
    "*",
    "vary",
    "origin",
  ];
}

/** Whether this is a browser's CORS preflight (Fetch, section 4.8, CORS-preflight fetch). */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

/**
 * What pages of an allowed origin may send. Headers are echoed because `*` does not cover `authorization`.
 */
export function preflightHeaders(req: IncomingMessage): string[] {
  const headers = ["access-control-allow-methods", "GET, POST", "access-control-max-age", "600"];
  const asked = req.headers["access-control-request-headers"];
  if (asked !== undefined) headers.push("access-control-allow-headers", asked);
  return headers;
}

/** An upstream's headers for pages that would call it directly. */
export function isCorsHeader(name: string): boolean {
  return name.startsWith("access-control-");
}
