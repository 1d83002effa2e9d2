import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { GatewayError } from "../errors/gateway-error.ts";

/** Refuses what a web page sends without permission, which could otherwise spend the operator's keys. */
export class OriginCheck {
  readonly #allowed: ReadonlySet<string>;
  readonly #loopbackHostsOnly: boolean;
  /** The last loopback `Host`: it is usually the same one. */
  #loopbackHost: string | null = null;

  /**
   * @param loopbackHostsOnly refuses any `Host` that is not a loopback name: it may be that of a page whose name was
   * rebound to this machine
   */
  constructor(allowedOrigins: readonly string[], loopbackHostsOnly: boolean) {
    this.#allowed = new Set(allowedOrigins);
    this.#loopbackHostsOnly = loopbackHostsOnly;
  }

  /**
   * Returns the origin whose page may read the answer; null if the request is not from a page.
   * @throws GatewayError origin_not_allowed; invalid_request if there is not exactly one `Host` (RFC 9112,
   * section 3.2)
   */
  check(req: IncomingMessage): string | null {
    const { host, origin } = req.headers;
    if (hasSecondHost(req.rawHeaders))
      throw new GatewayError("invalid_request", "The request has more than one 'host' header.");
    if (host === undefined && req.httpVersion === "1.1")
      throw new GatewayError("invalid_request", "The request has no 'host' header.");
    if (this.#loopbackHostsOnly && !this.#isLoopbackHost(host ?? ""))
      throw new GatewayError(
        "origin_not_allowed",
        `The gateway is open only to this machine and does not answer to the host '${host ?? ""}'. Call it as localhost, or set auth.api_keys.`,
      );
    if (origin === undefined) return null;
    const own = host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
    if (own || this.#allowed.has(origin)) return origin;
    throw new GatewayError(
      "origin_not_allowed",
      `Pages of '${origin}' may not call this gateway. Add the origin to cors.allowed_origins.`,
    );
  }

  #isLoopbackHost(host: string): boolean {
    if (host === this.#loopbackHost) return true;
    if (!isLoopbackHost(host)) return false;
    this.#loopbackHost = host;
    return true;
  }
}

/** Node keeps the first of several and does not report the others. */
function hasSecondHost(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") count++;
  }
  return count > 1;
}

/** Whether a `Host`, with or without a port, is a loopback name. */
function isLoopbackHost(host: string): boolean {
  const name = /^(?:\[(?<bracketed>[^\]]*)\]|(?<plain>[^:]*))(?::\d*)?$/.exec(host)?.groups;
  return isLoopbackName(name?.bracketed ?? name?.plain ?? "");
}

/** `localhost` and names below it (RFC 6761, section 6.3), 127.0.0.0/8 and ::1. */
export function isLoopbackName(name: string): boolean {
  const lower = name.toLowerCase();
  if (lower === "localhost" || lower.endsWith(".localhost") || lower === "::1") return true;
  return isIP(lower) === 4 && lower.startsWith("127.");
}

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
