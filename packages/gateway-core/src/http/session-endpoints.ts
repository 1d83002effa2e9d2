import { parseSessionId } from "@proj/gateway-protocol";
import { type RequestHandler, Router } from "express";
import type { AccessControl } from "./access-control.ts";
import { type CloseDependencies, closeEndpoint } from "./close-endpoint.ts";
import { answerOf } from "./control-answer.ts";
import { sessionModelPaths } from "./model-path.ts";
import { onlyMethods } from "./only-methods.ts";
import type { SessionEndpoint } from "./session-endpoint.ts";
import { listSessions } from "./session-list.ts";
import { createSessionPathSplitter, invalidSessionId, pathnameOf } from "./session-path.ts";
import {
  cleanEndpoint,
  modelsEndpoint,
  type StatusDependencies,
  statusEndpoint,
} from "./status-endpoints.ts";
import {
  latestSuccessStepEndpoint,
  type StepDependencies,
  stepsEndpoint,
} from "./step-endpoints.ts";

export interface SessionEndpointDependencies
  extends StatusDependencies,
    CloseDependencies,
    StepDependencies {
  readonly access: AccessControl;
}

/** The list of sessions at `base_session_path`, and what is below it, model traffic aside. */
export function sessionEndpoints(dependencies: SessionEndpointDependencies): Router {
  const { config, access, registry } = dependencies;
  const { base_session_path } = config;
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(base_session_path)
    .get((req, res) => {
      access.authenticate(req, null);
      listSessions(registry, req, res);
    })
    .all(onlyMethods("GET", "HEAD"));
  const endpoints = new Map<string, SessionEndpoint>([
    ["", statusEndpoint(dependencies)],
    ["/models", modelsEndpoint(dependencies)],
    ["/close", closeEndpoint(dependencies)],
    ["/clean", cleanEndpoint(dependencies)],
    ["/latest-success-step", latestSuccessStepEndpoint(dependencies)],
    ["/steps", stepsEndpoint(dependencies)],
  ]);
  router.use(serveSessions(base_session_path, access, endpoints));
  return router;
}

/**
 * Finds a session's endpoint by what follows the session id. Express would decode the segment, and
 * refuse in its own words what cannot be decoded.
 */
function serveSessions(
  base_session_path: string,
  access: AccessControl,
  endpoints: ReadonlyMap<string, SessionEndpoint>,
): RequestHandler {
  const split = createSessionPathSplitter(base_session_path);
  return (req, res, next) => {
    const path = split(pathnameOf(req.url));
    if (path === null) return next();
    const endpoint = endpoints.get(path.endpoint);
    if (endpoint === undefined && !sessionModelPaths.has(path.endpoint)) return next();
    const session_id = parseSessionId(path.segment);
    if (session_id === null) throw invalidSessionId();
    answerOf(res).headers.push("x-gateway-session-id", session_id);
    // Model paths come here with a method that they do not have.
    if (endpoint === undefined) return onlyMethods("POST")(req, res, next);
    const methods = endpoint.method === "GET" ? ["GET", "HEAD"] : ["POST"];
    if (!methods.includes(req.method)) return onlyMethods(...methods)(req, res, next);
    access.authenticate(req, endpoint.opensToSessionKey ? session_id : null);
    return endpoint.serve(session_id, req, res);
  };
}
