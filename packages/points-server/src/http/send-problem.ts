import type { ServerResponse } from "node:http";
import type { Problem } from "@proj/resource-router";

/** For what no resource of the router is addressed by. */
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
  // Node leaves it out of the answer to HEAD.
  response.end(body);
}
