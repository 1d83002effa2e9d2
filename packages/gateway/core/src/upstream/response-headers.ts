import type { IncomingHttpHeaders } from "node:http";
import { hopByHopHeaders, SecretMask } from "@proj/gateway-protocol";
import { contentCodings } from "@proj/model-apis/decoding";
import type { AnswerFormat, UpstreamFacts } from "../call/answer.ts";
import { namedInConnection } from "./named-in-connection.ts";

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
