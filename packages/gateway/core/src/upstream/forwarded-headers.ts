import { type IncomingHttpHeaders, validateHeaderName, validateHeaderValue } from "node:http";
import { hopByHopHeaders, type RouteConfig, SecretMask } from "@proj/gateway-protocol";
import { type Endpoint, keyHeaders } from "@proj/model-apis";
import { contentCodings } from "@proj/model-apis/decoding";
import type { AnswerFormat, UpstreamFacts } from "../call/answer.ts";

/** The headers that a `Connection` header lists; null for the usual values, which list none. */
function namedInConnection(connection: string | undefined): readonly string[] | null {
  if (connection === undefined || connection === "keep-alive" || connection === "close")
    return null;
  return connection.split(",").map((name) => name.trim().toLowerCase());
}

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

export interface ResponseHeaders {
  /** The headers for the caller: names and values in turn. */
  readonly relayed: string[];
  readonly format: AnswerFormat;
  readonly facts: Pick<
    UpstreamFacts,
    "request_id" | "content_type" | "content_encoding" | "recorded_headers"
  >;
}

/** These describe the upstream's own origin, which the caller never talks to. */
const neverReturned = new Set([
  ...hopByHopHeaders,
  "set-cookie",
  "alt-svc",
  "strict-transport-security",
]);

/**
 * `content-length` stays: the body is relayed untouched.
 * @param secrets the route's own: a header that repeats one is dropped, as no caller needs it
 */
export function readResponseHeaders(
  headers: IncomingHttpHeaders,
  recordHeaders: readonly string[],
  secrets: SecretMask = noSecrets,
): ResponseHeaders {
  const named = namedInConnection(headers.connection);
  const relayed: string[] = [];
  for (const name in headers) {
    if (neverReturned.has(name) || name.startsWith("x-gateway-")) continue;
    if (named?.includes(name)) continue;
    const value = headers[name];
    if (value === undefined || secrets.isIn(String(value))) continue;
    if (typeof value === "string") relayed.push(name, value);
    else for (const each of value) relayed.push(name, each);
  }
  const content_type = single(headers["content-type"]);
  const content_encoding = single(headers["content-encoding"]);
  const request_id = single(headers["x-request-id"] ?? headers["request-id"]);
  return {
    relayed,
    format: formatOf(content_type, content_encoding),
    facts: {
      request_id: request_id !== null && secrets.isIn(request_id) ? null : request_id,
      content_type,
      content_encoding,
      recorded_headers: recordHeaders.length === 0 ? null : record(headers, recordHeaders),
    },
  };
}

const noSecrets = new SecretMask([]);

function single(value: string | string[] | undefined): string | null {
  if (value === undefined) return null;
  return typeof value === "string" ? value : value.join(", ");
}

function formatOf(type: string | null, encoding: string | null): AnswerFormat {
  if (contentCodings(encoding).length > 0) return "encoded";
  if (type === null) return "plain";
  const end = type.indexOf(";");
  const essence = end === -1 ? type : type.slice(0, end);
  return essence.trim().toLowerCase() === "text/event-stream" ? "event_stream" : "plain";
}

function record(
  headers: IncomingHttpHeaders,
  names: readonly string[],
): Record<string, string> | null {
  let recorded: Record<string, string> | null = null;
  for (const name of names) {
    const value = single(headers[name]);
    if (value === null) continue;
    recorded ??= {};
    recorded[name] = value;
  }
  return recorded;
}
