import { type IncomingHttpHeaders, validateHeaderName, validateHeaderValue } from "node:http";
import { hopByHopHeaders, type RouteConfig } from "@proj/gateway-protocol";
import type { Endpoint } from "@proj/model-apis";
import { keyHeaders } from "@proj/model-apis";
import { namedInConnection } from "./named-in-connection.ts";

/**
 * Turns the caller's headers and its session's id into the headers sent upstream: names and values in turn.
 */
export type RequestHeaderRules = (
  headers: IncomingHttpHeaders,
  sessionId: string | null,
) => string[];

/** Headers about the connection or its framing: only the HTTP client itself may set these. */
const framing = [...hopByHopHeaders, "content-length", "expect"];

/** The caller's credentials and location are the gateway's business, not the upstream's. */
const neverForwarded = [
  ...framing,
  "host",
  "accept-encoding",
  ...Object.values(keyHeaders),
  "api-key",
  "cookie",
  "forwarded",
];

const sessionHeader = "x-session-id";

/**
 * Decides once what depends only on the route and the API. The route's own headers win over all others.
 * @throws Error if the route has a header that cannot be sent
 */
export function createRequestHeaderRules(
  route: RouteConfig,
  { credentialHeader, defaultHeaders }: Endpoint,
): RequestHeaderRules {
  const own: Record<string, string> = { "accept-encoding": "identity" };
  const header = route.auth_header ?? credentialHeader;
  if (route.api_key !== null) {
    own[header] = header === "authorization" ? `Bearer ${route.api_key}` : route.api_key;
  }
  Object.assign(own, route.headers);
  for (const [name, value] of Object.entries(own)) {
    if (framing.includes(name)) throw new Error(`headers: ${name} cannot be set by a route`);
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  const tail = Object.entries(own).flat();
  const skipped = new Set([...neverForwarded, sessionHeader, ...Object.keys(own)]);
  const defaults = Object.entries(defaultHeaders).filter(([name]) => !Object.hasOwn(own, name));
  const addsSession = !Object.hasOwn(own, sessionHeader);

  return (headers, sessionId) => {
    const named = namedInConnection(headers.connection);
    const result: string[] = [];
    for (const name in headers) {
      if (skipped.has(name) || name.startsWith("x-forwarded-")) continue;
      if (named?.includes(name)) continue;
      const value = headers[name];
      if (typeof value === "string") result.push(name, value);
      else if (value !== undefined) for (const each of value) result.push(name, each);
    }
    for (const [name, value] of defaults) {
      if (headers[name] === undefined) result.push(name, value);
    }
    if (addsSession && sessionId !== null) result.push(sessionHeader, sessionId);
    for (const part of tail) result.push(part);
    return result;
  };
}
