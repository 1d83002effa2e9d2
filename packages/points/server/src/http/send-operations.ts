import type { IncomingMessage, ServerResponse } from "node:http";
import { rankings } from "@proj/points-client/wire";
import { Problem } from "@proj/resource-router";
import type { Operations } from "../operations/operations.ts";
import { sendProblem } from "./send-problem.ts";

type Probe = (operations: Operations) => Promise<{ status: number; type: string; body: string }>;

const json = "application/json";

const probes: Readonly<Record<string, Probe>> = {
  /** The process answers. */
  "/healthz": async () => ({ status: 200, type: json, body: '{"status":"ok"}' }),
  "/readyz": async (operations) => {
    const readiness = await operations.readiness();
    return { status: readiness.ready ? 200 : 503, type: json, body: JSON.stringify(readiness) };
  },
  "/metrics": async (operations) => ({
    ...{ status: 200, type: operations.contentType, body: await operations.metrics() },
  }),
};

/** False: the path is none of these. */
export function sendOperations(
  { method = "" }: IncomingMessage,
  response: ServerResponse,
  path: string,
  operations: Operations,
): boolean {
  const probe = Object.hasOwn(probes, path) ? probes[path] : undefined;
  if (probe === undefined) return false;
  if (method !== "GET" && method !== "HEAD") {
    const allow = "GET, HEAD";
    sendProblem(response, new Problem(405, `Read ${path} with GET.`, { headers: { allow } }));
    return true;
  }
  void probe(operations).then(
    ({ status, type, body }) => response.writeHead(status, { "content-type": type }).end(body),
    () => sendProblem(response, new Problem(500, "The state cannot be read.")),
  );
  return true;
}

const pointsRoutes: ReadonlySet<string> = new Set([
  ...["config", "domain", "history", "seasons", "quest", "swap", "content-program"],
]);

/** The route label of a request in the metrics. */
export function routeOf(target: string, prefix: string): string {
  const [path = ""] = target.split("?", 1);
  if (path === "/" || path.startsWith("/page/")) return "page";
  if (path.startsWith("/ingest")) return "ingest";
  if (path.startsWith("/price/")) return "price";
  if (!path.startsWith(`/${prefix}/`)) return "other";
  const [first = "", second = ""] = path.slice(prefix.length + 2).split("/", 2);
  if (pointsRoutes.has(first)) return first;
  return Object.hasOwn(rankings, second) ? second : "other";
}
