import type { ApiError } from "./api-error.ts";
import type { JsonObject } from "./json-object.ts";

const statuses: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  404: "NOT_FOUND",
};

/** The error in Google's form. */
export function writeContentError({ status: code, message }: ApiError): JsonObject {
  return { error: { code, message, status: statuses[code] ?? "INTERNAL" } };
}
