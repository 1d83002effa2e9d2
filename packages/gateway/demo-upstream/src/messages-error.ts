import type { ApiError } from "./api-error.ts";
import type { JsonObject } from "./json-object.ts";

const errorTypes: ReadonlyMap<number, string> = new Map([
  [401, "authentication_error"],
  [404, "not_found_error"],
  [500, "api_error"],
]);

/** An error in the form of Anthropic's API. */
export function writeMessagesError({ status, message }: ApiError): JsonObject {
  const type = errorTypes.get(status) ?? "invalid_request_error";
  return { type: "error", error: { type, message } };
}
