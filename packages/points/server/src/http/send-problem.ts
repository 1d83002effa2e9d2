import type { ServerResponse } from "node:http";
import type { Problem } from "@proj/resource-router";

/** For requests that do not reach a resource of the router. */
export function sendProblem(
  response: ServerResponse,
  { status, document, headers }: Problem,
): void {
  const body = JSON.stringify(document);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.writeHead(status, {
    "content-type": "application/problem+json",
    "content-length": Buffer.byteLength(body),
  });
  // Node drops the body in an answer to HEAD.
  response.end(body);
}
