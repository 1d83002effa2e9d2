import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { GatewayError } from "../gateway-error.ts";

export interface OriginCheckOptions {
  readonly allowedOrigins: readonly string[];
  /** Refuse any `Host` that is no name of this machine's loopback: a page whose name was rebound to it. */
  readonly loopbackHostsOnly: boolean;
}

/**
 * Refuses what a web page sends without being allowed to, which could otherwise spend the
 * operator's keys. Returns the CORS headers of the answer: none for requests without an origin.
 */
export class OriginCheck {
  readonly #allowed: ReadonlySet<string>;
  readonly #loopbackHostsOnly: boolean;

  constructor(options: OriginCheckOptions) {
    this.#allowed = new Set(options.allowedOrigins);
    this.#loopbackHostsOnly = options.loopbackHostsOnly;
  }

  /** @throws GatewayError origin_not_allowed */
  check(req: IncomingMessage): readonly string[] {
    const { host, origin } = req.headers;
    if (this.#loopbackHostsOnly && !isLoopbackHost(host ?? ""))
      throw new GatewayError(
        "origin_not_allowed",
        `The gateway is open to this machine alone and does not answer as '${host ?? ""}'. Call it as localhost, or set auth.api_keys.`,
      );
    if (origin === undefined) return [];
    const own = host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
    if (!own && !this.#allowed.has(origin) && !this.#allowed.has("*"))
      throw new GatewayError(
        "origin_not_allowed",
        `Pages of '${origin}' may not call this gateway. Name the origin in cors.allowed_origins.`,
      );
    return [
      "access-control-allow-origin",
      origin,
      "access-control-expose-headers",
      "x-request-id, x-should-retry, retry-after, retry-after-ms, server-timing, x-gateway-session-id, x-gateway-step-id, x-gateway-stop, x-gateway-error-source",
      "vary",
      "origin",
    ];
  }
}

/** The answer to a preflight, beside the headers of the check. */
export const preflightHeaders: readonly string[] = [
  "access-control-allow-methods",
  "GET, POST, OPTIONS",
  "access-control-allow-headers",
  "*, authorization",
  "access-control-max-age",
  "600",
];

/** `localhost` and what is below it (RFC 6761, section 6.3), 127.0.0.0/8 and ::1, with any port. */
export function isLoopbackHost(host: string): boolean {
  const name = host
    .replace(/:\d*$/, "")
    .replace(/^\[(.*)\]$/, "$1")
    .toLowerCase();
  if (name === "localhost" || name.endsWith(".localhost") || name === "::1") return true;
  return isIP(name) === 4 && name.startsWith("127.");
}
