import type { IncomingMessage } from "node:http";

/** What lets the page of an allowed origin read an answer: names and values in turn. */
export function corsHeaders(origin: string | null): string[] {
  if (origin === null) return [];
  return [
    "access-control-allow-origin",
    origin,
    // All of them: the upstream's own are among what callers read.
    "access-control-expose-headers",
    "*",
    "vary",
    "origin",
  ];
}

/** Whether a browser asks what it may send (Fetch, section 4.8, CORS-preflight fetch). */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

/**
 * What the page of an allowed origin may send. Headers are echoed, as a `*` does not stand for
 * `authorization`.
 */
export function preflightHeaders(req: IncomingMessage): string[] {
  const headers = ["access-control-allow-methods", "GET, POST", "access-control-max-age", "600"];
  const asked = req.headers["access-control-request-headers"];
  if (asked !== undefined) headers.push("access-control-allow-headers", asked);
  return headers;
}

/** The headers of an upstream that concern pages which would call it itself. */
export function isCorsHeader(name: string): boolean {
  return name.startsWith("access-control-");
}
