import { parseSessionId } from "@proj/gateway-protocol";
import type { Express, RequestHandler } from "express";
import { listStored, rowsEndpoint, summaryEndpoint, toolsEndpoint } from "./browse-endpoints.ts";
import { closeEndpoint } from "./close-endpoint.ts";
import { answerOf } from "./control-answer.ts";
import type { ControlDependencies } from "./control-dependencies.ts";
import { forkEndpoint } from "./fork-endpoint.ts";
import { liveEndpoint } from "./live-endpoint.ts";
import { onlyMethods, onlyModelRequests } from "./only-methods.ts";
import {
  createSessionPathSplitter,
  findSessionPath,
  invalidSessionId,
  pathnameOf,
} from "./paths.ts";
import type { SessionEndpoint } from "./session-endpoint.ts";
import { listSessions } from "./session-list.ts";
import {
  cleanEndpoint,
  modelEndpoint,
  modelsEndpoint,
  statusEndpoint,
} from "./status-endpoints.ts";
import { latestSuccessStepEndpoint, stepsEndpoint } from "./step-endpoints.ts";

/** The list of sessions at `base_session_path`, and the endpoints below it except for model traffic. */
export function addSessions(app: Express, dependencies: ControlDependencies): void {
  const { config, access, registry } = dependencies;
  const { base_session_path } = config;
  app
    .route(base_session_path)
    .get(async (req, res) => {
      access.authenticate(req, null);
      if (req.query.stored === "true") await listStored(dependencies, req, res);
      else await listSessions(registry, req, res);
    })
    .all(onlyMethods("GET", "HEAD"));
  const endpoints = new Map<string, SessionEndpoint>([
    ["", statusEndpoint(dependencies)],
    ["/models", modelsEndpoint(dependencies)],
    ["/v1/models", modelsEndpoint(dependencies)],
    ["/close", closeEndpoint(dependencies)],
    ["/clean", cleanEndpoint(dependencies)],
    ["/fork", forkEndpoint(dependencies)],
    ["/latest-success-step", latestSuccessStepEndpoint(dependencies)],
    ["/steps", stepsEndpoint(dependencies)],
    ["/summary", summaryEndpoint(dependencies)],
    ["/rows", rowsEndpoint(dependencies)],
    ["/tools", toolsEndpoint(dependencies)],
    ["/live", liveEndpoint(dependencies)],
  ]);
  const find = (path: string): SessionEndpoint | null => {
    const model = /^(?:\/v1)?\/models\/(.+)$/s.exec(path)?.[1];
    return endpoints.get(path) ?? (model === undefined ? null : modelEndpoint(dependencies, model));
  };
  app.use(serveSessions(dependencies, find));
}

/**
 * Finds a session's endpoint by the path after the session id. Not Express's own parameters: it would decode
 * the segment, and reject one that cannot be decoded with a message of its own.
 */
function serveSessions(
  { config: { base_session_path }, access, shares }: ControlDependencies,
  find: (path: string) => SessionEndpoint | null,
): RequestHandler {
  const split = createSessionPathSplitter(base_session_path);
  return (req, res, next) => {
    const path = split(pathnameOf(req.url));
    if (path === null) return next();
    const endpoint = find(path.endpoint);
    if (endpoint === null && findSessionPath(path.endpoint) === null) return next();
    const session_id = parseSessionId(path.segment);
    if (session_id === null) throw invalidSessionId();
    answerOf(res).headers.push("x-gateway-session-id", session_id);
    // Requests for model paths end up here if they use another method.
    if (endpoint === null) return onlyModelRequests(req, res, next);
    const methods = endpoint.method === "GET" ? ["GET", "HEAD"] : ["POST"];
    if (!methods.includes(req.method)) return onlyMethods(...methods)(req, res, next);
    const caller = access.authenticate(req, endpoint.opensToSessionKey ? session_id : null);
    const { scope } = caller;
    const share = scope === null ? null : shares.enter(session_id, scope);
    if (share !== null) res.once("close", () => share.leave());
    return endpoint.serve(session_id, req, res, { ...caller, share });
  };
}
