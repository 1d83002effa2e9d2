import type { ApiName } from "@proj/model-apis";
import type { JsonObject } from "@proj/model-apis/json";

/** A request that is refused. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly param: string | null;
  readonly code: string | null;

  constructor(status: number, message: string, param: string | null, code: string | null = null) {
    super(message);
    this.status = status;
    this.param = param;
    this.code = code;
  }
}

const messageTypes: Readonly<Record<number, string>> = {
  401: "authentication_error",
  404: "not_found_error",
  500: "api_error",
};

const contentStatuses: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  404: "NOT_FOUND",
};

/** The error as the services answer it, without what a gateway's own errors say beside. */
export function writeError({ status, message, param, code }: ApiError, api: ApiName): JsonObject {
  if (api === "messages") {
    const type = messageTypes[status] ?? "invalid_request_error";
    return { type: "error", error: { type, message } };
  }
  if (api === "generate_content")
    return { error: { code: status, message, status: contentStatuses[status] ?? "INTERNAL" } };
  const type = status >= 500 ? "server_error" : "invalid_request_error";
  return { error: { message, type, param, code } };
}
