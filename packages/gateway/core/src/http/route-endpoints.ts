import { fixedPaths, type RouteListBody } from "@proj/gateway-protocol";
import type { RoutePause } from "@proj/session-store";
import type { Express, Request, RequestHandler, Response } from "express";
import {
  type EnginePause,
  enginePauses,
  pauseEngine,
  resumeEngine,
} from "../engine/pause-engine.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { goneSignal, sendJson } from "./control-answer.ts";
import type { ControlDependencies } from "./control-dependencies.ts";
import { logprobsEndpoint, probeEndpoint } from "./engine-endpoint.ts";
import { readJsonObject } from "./json-body.ts";
import { onlyMethods, onlyRead } from "./only-methods.ts";
import { decodeRouteKey } from "./paths.ts";

/** An endpoint below a route's path. */
export interface RouteEndpoint {
  readonly method: "GET" | "POST";
  /** Returns the answer's object. The caller is already checked. */
  serve(model: string, req: Request, res: Response): Promise<object>;
}

const defaultTimeoutS = 60;
const maxTimeoutS = 3_600;
const pauses: readonly RoutePause[] = ["hold", "drain", "refuse"];

/** `GET /v1/routes`, and `/v1/routes/{key}/pause`, `/resume`, `/engine` and `/logprobs`; a key may contain slashes. */
export function addRoutes(app: Express, dependencies: ControlDependencies): void {
  const { access, routeControl, reload } = dependencies;
  onlyRead(app, fixedPaths.routes, dependencies, () => {
    return { routes: routeControl.statuses() } satisfies RouteListBody;
  });
  app
    .route(fixedPaths.reload)
    .post((req, res) => {
      access.authenticate(req, null);
      sendJson(res, reload.run());
    })
    .all(onlyMethods("POST"));
  app.use(serveRoute(dependencies));
}

function serveRoute(dependencies: ControlDependencies): RequestHandler {
  const endpoints = new Map<string, RouteEndpoint>([
    ["pause", pauseEndpoint(dependencies)],
    ["resume", resumeEndpoint(dependencies)],
    ["engine", probeEndpoint(dependencies)],
    ["logprobs", logprobsEndpoint(dependencies)],
  ]);
  const path = new RegExp(`^${fixedPaths.routes}/(.+)/(${[...endpoints.keys()].join("|")})$`, "s");
  return async (req, res, next) => {
    const [, escaped = "", name = ""] = path.exec(req.path) ?? [];
    const endpoint = endpoints.get(name);
    if (endpoint === undefined) next();
    else if (req.method !== endpoint.method) onlyMethods(endpoint.method)(req, res, next);
    else {
      dependencies.access.authenticate(req, null);
      sendJson(res, await endpoint.serve(decodeRouteKey(escaped), req, res));
    }
  };
}

const pauseEndpoint = (dependencies: ControlDependencies): RouteEndpoint => ({
  method: "POST",
  serve: async (model, req, res) => {
    const { routeControl, routes } = dependencies;
    const gone = goneSignal(res);
    const body = await readJsonObject(req, res, dependencies);
    const timeoutMs = 1_000 * timeoutOf(body);
    const enginePause = enginePauseOf(body);
    const paused = await routeControl.pause(model, pauseOf(body), { timeoutMs, gone });
    if (enginePause !== null)
      await pauseEngine(model, routes.get(model).config, enginePause, timeoutMs);
    return paused;
  },
});

const resumeEndpoint = (dependencies: ControlDependencies): RouteEndpoint => ({
  method: "POST",
  serve: async (model, req, res) => {
    const { routeControl, routes } = dependencies;
    const body = await readJsonObject(req, res, dependencies);
    const version = versionOf(body);
    const resumed = await routeControl.resume(model, version);
    // Before the engine goes on: what it samples from then on is of these weights.
    if (resumesEngine(body))
      await resumeEngine(model, routes.get(model).config, version, 1_000 * defaultTimeoutS);
    return resumed;
  },
});

type Members = Readonly<Record<string, unknown>>;

function pauseOf({ mode }: Members): RoutePause {
  const pause = pauses.find((each) => each === mode);
  if (pause !== undefined) return pause;
  throw invalid("mode", "'hold', 'drain' or 'refuse'");
}

function enginePauseOf({ engine }: Members): EnginePause | null {
  if (engine === undefined) return null;
  const pause = enginePauses.find((each) => each === engine);
  if (pause !== undefined) return pause;
  throw invalid("engine", "'abort', 'wait' or 'keep'");
}

function resumesEngine({ engine = false }: Members): boolean {
  if (typeof engine === "boolean") return engine;
  throw invalid("engine", "true or false");
}

function timeoutOf({ timeout_s = defaultTimeoutS }: Members): number {
  if (typeof timeout_s === "number" && timeout_s >= 0 && timeout_s <= maxTimeoutS) return timeout_s;
  throw invalid("timeout_s", `a number of seconds up to ${maxTimeoutS}`);
}

function versionOf({ weight_version }: Members): string | undefined {
  if (weight_version === undefined) return undefined;
  if (typeof weight_version === "string" && /^.{1,200}$/s.test(weight_version))
    return weight_version;
  throw invalid("weight_version", "a string of 1 to 200 characters");
}

const invalid = (param: string, what: string): GatewayError =>
  new GatewayError("invalid_request", `'${param}' must be ${what}.`, { param });
