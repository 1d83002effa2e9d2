import type { ApiError } from "../api-error.ts";

/** Google's canonical codes by HTTP status; any other status is `INVALID_ARGUMENT`. */
const statuses: ReadonlyMap<number, string> = new Map([
  [401, "UNAUTHENTICATED"],
  [403, "PERMISSION_DENIED"],
  [404, "NOT_FOUND"],
  [408, "DEADLINE_EXCEEDED"],
  [409, "ABORTED"],
  [429, "RESOURCE_EXHAUSTED"],
  [499, "CANCELLED"],
  [500, "INTERNAL"],
  [501, "UNIMPLEMENTED"],
  [502, "UNAVAILABLE"],
  [503, "UNAVAILABLE"],
  [504, "DEADLINE_EXCEEDED"],
]);

/** One of the gateway's own errors in the form of Google's APIs; `reason` is the gateway's code. */
export function contentErrorBody({ kind, code, message }: ApiError, request_id: string): object {
  const status = statuses.get(kind.status) ?? "INVALID_ARGUMENT";
  const details = [
    {
      "@type": "type.googleapis.com/google.rpc.ErrorInfo",
      reason: code,
      domain: "gateway",
      metadata: { request_id },
    },
  ];
  return { error: { code: kind.status, message, status, details } };
}
