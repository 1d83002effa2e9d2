import { randomUUID } from "node:crypto";
import { gatewayPaths } from "@proj/gateway-protocol";
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import { asGatewayError, GatewayError } from "../gateway-error.ts";
import type { AccessControl } from "./access-control.ts";
import { replyError } from "./error-reply.ts";
import { onlyMethods } from "./only-methods.ts";
import { type ProbeDependencies, probeEndpoints } from "./probe-endpoints.ts";
import { type SessionEndpointDependencies, sessionEndpoints } from "./session-endpoints.ts";

export interface ControlAppDependencies extends ProbeDependencies, SessionEndpointDependencies {
  readonly access: AccessControl;
  readonly onInternalError: (error: Error, request_id: string) => void;
}

/** A body of a control request is a few members; a larger one is a mistake. */
const controlBodyLimit = "64kb";

/** Everything but model traffic: probes, metrics, sessions. */
export function createControlApp(dependencies: ControlAppDependencies): Express {
  const { base_session_path } = dependencies.config;
  const paths = gatewayPaths(base_session_path);
  const app = express();
  app.disable("x-powered-by").disable("etag").set("query parser", "simple");
  app.use(startAnswer);
  // Model paths come here with a method that they do not have.
  for (const path of [paths.chat_completions, paths.responses]) app.all(path, onlyMethods("POST"));
  app.use(probeEndpoints(dependencies));
  app.use(
    base_session_path,
    express.json({ limit: controlBodyLimit, type: () => true, strict: true }),
    sessionEndpoints(dependencies),
  );
  app.use((req) => {
    throw new GatewayError("not_found", `There is nothing at '${req.method} ${req.path}'.`);
  });
  app.use(answerError(dependencies));
  return app;
}

const startAnswer: RequestHandler = (_req, res, next) => {
  res.locals.request_id = randomUUID();
  const started = performance.now();
  res.setHeader("x-request-id", res.locals.request_id);
  res.setHeader("cache-control", "no-store");
  const writeHead: (...parameters: never[]) => unknown = res.writeHead;
  // The time is known when the head is written, and not before.
  res.writeHead = ((...parameters: never[]) => {
    if (!res.hasHeader("server-timing"))
      res.setHeader("server-timing", `gateway;dur=${(performance.now() - started).toFixed(3)}`);
    return writeHead.apply(res, parameters);
  }) as typeof res.writeHead;
  next();
};

function answerError({ onInternalError }: ControlAppDependencies): ErrorRequestHandler {
  return (error, _req, res, next) => {
    if (res.headersSent) return next(error);
    const answered = asControlError(error);
    if (answered.code === "internal_error") onInternalError(error, res.locals.request_id);
    res.removeHeader("x-request-id");
    const timing = res.getHeader("server-timing");
    replyError(
      res,
      answered,
      res.locals.request_id,
      timing ? ["server-timing", String(timing)] : [],
    );
  };
}

/** Express and its body parser throw errors with a status; they are mistakes of the caller. */
function asControlError(error: unknown): GatewayError {
  if (typeof error !== "object" || error === null || !("status" in error))
    return asGatewayError(error);
  if (error.status === 413)
    return new GatewayError("request_too_large", "The request's body is too large.");
  if (error.status === 415)
    return new GatewayError(
      "unsupported_encoding",
      "Request bodies with a content-encoding are not read.",
    );
  if (typeof error.status === "number" && error.status >= 400 && error.status < 500)
    return new GatewayError("invalid_request", "The request's body or path cannot be read.");
  return asGatewayError(error);
}
