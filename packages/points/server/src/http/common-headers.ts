import type { IncomingMessage, ServerResponse } from "node:http";
import { pageHeaders } from "@proj/program/page";

const ofAll: readonly (readonly [string, string])[] = [
  // Cacheable answers override this.
  ["cache-control", "no-store"],
  ["access-control-allow-origin", "*"],
  ["access-control-expose-headers", "etag, x-snapshot, x-snapshot-time, x-user-offset"],
  ...Object.entries(pageHeaders()),
];

const ofOptions: readonly (readonly [string, string])[] = [
  ["access-control-allow-methods", "GET, HEAD, OPTIONS"],
  ["access-control-allow-headers", "if-none-match"],
  ["access-control-max-age", "86400"],
];

/** Sets the headers of every answer, errors too: pages of any origin may read all answers. */
export function setCommonHeaders(request: IncomingMessage, response: ServerResponse): void {
  for (const [name, value] of ofAll) response.setHeader(name, value);
  if (request.method !== "OPTIONS") return;
  for (const [name, value] of ofOptions) response.setHeader(name, value);
}
