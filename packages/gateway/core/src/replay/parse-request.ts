import type { Endpoint } from "@proj/model-apis";
import { isJsonObject, parseJson } from "@proj/model-apis/json";
import type { StoredStep } from "@proj/session-store";

/**
 * Parses a request without the parts that a route may strip before forwarding, because those change with every
 * request. Undefined if it is not JSON.
 */
export function parseRequest(bytes: Buffer, { strip }: Endpoint): unknown {
  const stripped = strip?.from(bytes) ?? bytes;
  return parseJson(stripped.toString());
}

/** parseRequest for a stored row, whose history is stored apart; undefined if the row does not have it. */
export function parseRecorded(
  { request, messages }: Pick<StoredStep, "request" | "messages">,
  endpoint: Endpoint,
): unknown {
  if (request === null) return undefined;
  const body = parseRequest(Buffer.from(request), endpoint);
  if (messages === null || endpoint.history === null || !isJsonObject(body)) return body;
  return { ...body, [endpoint.history]: parseJson(messages) };
}

const references = ["previous_response_id", "conversation", "thread"];

/** Whether a parsed request has a member that names what came before, or says that nothing did. */
export const namesHistory = (request: unknown): boolean =>
  isJsonObject(request) && references.some((name) => Object.hasOwn(request, name));

/** A parsed request that has its whole history, without the members that name it. */
export const withoutReference = (request: unknown): unknown =>
  isJsonObject(request)
    ? Object.fromEntries(Object.entries(request).filter(([name]) => !references.includes(name)))
    : request;
