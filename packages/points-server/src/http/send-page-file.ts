import type { IncomingMessage, ServerResponse } from "node:http";
import { Problem } from "@proj/resource-router";
import type { PageFile } from "../page/page-files.ts";
import { isKnown } from "./fresh-reply.ts";
import { sendProblem } from "./send-problem.ts";

const allow = "GET, HEAD, OPTIONS";

/** @param maxAge seconds until it is to be asked about again */
export function sendPageFile(
  request: IncomingMessage,
  response: ServerResponse,
  { type, body, etag }: PageFile,
  maxAge: number,
): void {
  const { method = "", headers } = request;
  if (method === "OPTIONS") return void response.writeHead(204, { allow }).end();
  if (method !== "GET" && method !== "HEAD") {
    const detail = `The page is read with GET, not ${method}.`;
    sendProblem(response, new Problem(405, detail, { headers: { allow } }));
    return;
  }
  response.setHeader("etag", etag).setHeader("cache-control", `public, max-age=${maxAge}`);
  if (isKnown(headers["if-none-match"], etag)) return void response.writeHead(304).end();
  response.writeHead(200, { "content-type": type, "content-length": Buffer.byteLength(body) });
  response.end(body);
}
