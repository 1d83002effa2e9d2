import type { IncomingMessage, ServerResponse } from "node:http";
import { type StaticFile, sendFile } from "@proj/program/page";
import { Problem } from "@proj/resource-router";
import { sendProblem } from "./send-problem.ts";

const allow = "GET, HEAD, OPTIONS";

/** @param maxAge seconds until it must be revalidated */
export function sendPageFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: StaticFile,
  maxAge: number,
): void {
  const { method = "" } = request;
  if (method === "OPTIONS") return void response.writeHead(204, { allow }).end();
  if (method !== "GET" && method !== "HEAD") {
    const detail = `Read the page with GET, not ${method}.`;
    sendProblem(response, new Problem(405, detail, { headers: { allow } }));
    return;
  }
  sendFile(request, response, file, { "cache-control": `public, max-age=${maxAge}` });
}
