import { endpointsByName } from "@proj/model-apis";
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import { asGatewayError, CallerGoneError, GatewayError } from "../errors/gateway-error.ts";
import { addConsole } from "./console-endpoints.ts";
import { answerOf, beginAnswer, sendError, sendNoContent } from "./control-answer.ts";
import type { ControlDependencies } from "./control-dependencies.ts";
import { addJobs } from "./job-endpoints.ts";
import { speaksAnthropic } from "./model-list.ts";
import { onlyModelRequests } from "./only-methods.ts";
import { corsHeaders, isPreflight, type OriginCheck, preflightHeaders } from "./origin-check.ts";
import { addOverview } from "./overview-endpoint.ts";
import { findUnboundPath } from "./paths.ts";
import { addProbes } from "./probe-endpoints.ts";
import { addReview } from "./review-endpoint.ts";
import { addRoutes } from "./route-endpoints.ts";
import { addSessions } from "./session-endpoints.ts";

/** Everything but model traffic: probes, metrics, sessions. Each path has exactly one spelling. */
export function createControlApp(dependencies: ControlDependencies): Express {
  const app = express();
  app.disable("x-powered-by").enable("case sensitive routing").enable("strict routing");
  // No brackets or nesting: a parameter is one string, or a list of strings.
  app.set("query parser", "simple");
  app.use(beginAnswer, checkOrigin(dependencies.originCheck));
  // Requests for model paths end up here if they use another method.
  app.use((req, res, next) =>
    findUnboundPath(req.path)?.told === null ? onlyModelRequests(req, res, next) : next(),
  );
  addProbes(app, dependencies);
  addJobs(app, dependencies);
  addReview(app, dependencies);
  addRoutes(app, dependencies);
  addOverview(app, dependencies);
  addSessions(app, dependencies);
  if (dependencies.console !== null) addConsole(app, dependencies.console);
  app.use((req) => {
    throw new GatewayError("not_found", `There is nothing at '${req.method} ${req.path}'.`);
  });
  app.use(answerError(dependencies));
  return app;
}

function checkOrigin(originCheck: OriginCheck): RequestHandler {
  return (req, res, next) => {
    const origin = originCheck.check(req);
    const { headers } = answerOf(res);
    headers.push(...corsHeaders(origin));
    if (origin === null || !isPreflight(req)) return next();
    headers.push(...preflightHeaders(req));
    sendNoContent(res);
  };
}

function answerError({ onInternalError }: ControlDependencies): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.
  return (error, req, res, _next) => {
    if (error instanceof CallerGoneError) return;
    const answered = asGatewayError(error);
    if (answered.code === "internal_error") onInternalError(answered, answerOf(res).request_id);
    sendError(res, answered, speaksAnthropic(req.headers) ? endpointsByName.messages : null);
  };
}
