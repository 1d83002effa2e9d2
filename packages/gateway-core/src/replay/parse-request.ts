import type { StoredStep } from "@proj/session-store";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { parseJson } from "../json/exact-json.ts";
import { isJsonObject } from "../json/json-object.ts";

/**
 * What a request says, without what is left out of it before it is forwarded where a route says so: that
 * changes with every request. Undefined: it is not JSON.
 */
export function parseRequest(bytes: Buffer, { strip }: Endpoint): unknown {
  const stripped = strip?.from(bytes) ?? bytes;
  return parseJson(stripped.toString());
}

/** The same of a stored row, whose history is apart; undefined: the row does not have it. */
export function parseRecorded(
  { request, messages }: Pick<StoredStep, "request" | "messages">,
  endpoint: Endpoint,
): unknown {
  if (request === null) return undefined;
  const body = parseRequest(Buffer.from(request), endpoint);
  if (messages === null || endpoint.history === null || !isJsonObject(body)) return body;
  return { ...body, [endpoint.history]: parseJson(messages) };
}
